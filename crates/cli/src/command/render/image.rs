//! PNG files.

use super::draw::Drawn;
use super::impossible;
use crate::exit::Failure;
use std::io::Cursor;

/// Pixels of an image, four bytes each, row by row from the top.
pub struct Image {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels.
    pub rgba: Vec<u8>,
}

/// Reads a PNG file of any colour type.
pub fn decode(name: &str, bytes: &[u8]) -> Result<Image, Failure> {
    let fail = |error: &dyn std::fmt::Display| {
        Failure::read(name, format_args!("it is no PNG file that can be read: {error}"))
    };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|error| fail(&error))?;
    let size = reader.output_buffer_size().filter(|&size| size <= 1 << 30).ok_or_else(|| fail(&"it is too large"))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|error| fail(&error))?;
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Rgba => pixels,
        png::ColorType::Rgb => pixels.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect(),
        png::ColorType::GrayscaleAlpha => pixels.as_chunks::<2>().0.iter().flat_map(|&[v, a]| [v, v, v, a]).collect(),
        png::ColorType::Grayscale => pixels.iter().flat_map(|&v| [v, v, v, 255]).collect(),
        png::ColorType::Indexed => return Err(fail(&"its palette was not expanded")),
    };
    Ok(Image { width: info.width, height: info.height, rgba })
}

/// A picture as a PNG file, opaque unless alpha is kept.
pub fn encode(drawn: &Drawn, alpha: bool) -> Result<Vec<u8>, Failure> {
    if alpha {
        return write(drawn, png::ColorType::Rgba, png::BitDepth::Eight, &drawn.rgba);
    }
    let rgb: Vec<u8> = drawn.rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    write(drawn, png::ColorType::Rgb, png::BitDepth::Eight, &rgb)
}

/// The depths of a picture as a PNG file of 16-bit grey.
pub fn encode_depth(drawn: &Drawn) -> Result<Vec<u8>, Failure> {
    let word = |depth: &f32| ((depth.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16).to_be_bytes();
    let grey: Vec<u8> = drawn.depth.iter().flat_map(word).collect();
    write(drawn, png::ColorType::Grayscale, png::BitDepth::Sixteen, &grey)
}

fn write(drawn: &Drawn, color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let written = (|| {
        let mut encoder = png::Encoder::new(&mut out, drawn.width, drawn.height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(data)?;
        writer.finish()
    })();
    match written {
        Ok(()) => Ok(out),
        Err(error) => Err(Failure::File(Box::new(impossible(format!("the picture cannot be encoded: {error}"))))),
    }
}
