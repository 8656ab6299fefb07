// How the runner's generated entry calls a function: arguments come out of words, results go into words.
#pragma once

/// Addresses of the runner's tables. `buffers`, `textures`, `samplers` and `memory` hold 64-bit words by argument index (addresses, or
/// handles); `in`, `out` and `builtins` 32-bit words.
struct aq_call {
    ulong buffers;
    ulong textures;
    ulong samplers;
    ulong memory;
    ulong in;
    ulong out;
    ulong builtins;
};

#define AQ_WORDS64(address) ((device const ulong*)(address))
#define AQ_WORDS(address) ((device uint*)(address))

inline void aq_get(thread float& to, device const uint* words) { to = __builtin_astype(words[0], float); }
inline void aq_get(thread half& to, device const uint* words) { to = half(__builtin_astype(words[0], float)); }
inline void aq_get(thread bool& to, device const uint* words) { to = words[0] != 0u; }
inline void aq_get(thread char& to, device const uint* words) { to = char(words[0]); }
inline void aq_get(thread uchar& to, device const uint* words) { to = uchar(words[0]); }
inline void aq_get(thread short& to, device const uint* words) { to = short(words[0]); }
inline void aq_get(thread ushort& to, device const uint* words) { to = ushort(words[0]); }
inline void aq_get(thread int& to, device const uint* words) { to = int(words[0]); }
inline void aq_get(thread uint& to, device const uint* words) { to = words[0]; }
template<typename T, int N> void aq_get(thread metal::vec<T, N>& to, device const uint* words) {
    for (int i = 0; i < N; i++) {
        T lane;
        aq_get(lane, words + i);
        to[i] = lane;
    }
}

inline void aq_put(device uint* words, float from) { words[0] = __builtin_astype(from, uint); }
inline void aq_put(device uint* words, half from) { words[0] = __builtin_astype(float(from), uint); }
inline void aq_put(device uint* words, bool from) { words[0] = uint(from); }
inline void aq_put(device uint* words, char from) { words[0] = uint(int(from)); }
inline void aq_put(device uint* words, uchar from) { words[0] = from; }
inline void aq_put(device uint* words, short from) { words[0] = uint(int(from)); }
inline void aq_put(device uint* words, ushort from) { words[0] = from; }
inline void aq_put(device uint* words, int from) { words[0] = uint(from); }
inline void aq_put(device uint* words, uint from) { words[0] = from; }
template<typename T, int N> void aq_put(device uint* words, metal::vec<T, N> from) {
    for (int i = 0; i < N; i++) {
        aq_put(words + i, T(from[i]));
    }
}
