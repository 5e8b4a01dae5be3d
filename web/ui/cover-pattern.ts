/** What a generated cover looks like: one of six background colors, one of four patterns, and a random seed for the pattern. */
export interface CoverPlan {
  cloth: 1 | 2 | 3 | 4 | 5 | 6
  pattern: 'waves' | 'arcs' | 'dots' | 'rules'
  seed: number
}

const PATTERNS = ['waves', 'arcs', 'dots', 'rules'] as const

/**
 * Returns the cover for a project name. It is derived from a hash of the trimmed, lower-cased name: byte 0 selects the color,
 * byte 1 the pattern, and the remaining bytes are the seed.
 */
export function coverPlan(name: string): CoverPlan {
  const hash = fnv1a(name.trim().toLowerCase())
  return {
    cloth: (((hash & 0xff) % 6) + 1) as CoverPlan['cloth'],
    pattern: PATTERNS[((hash >>> 8) & 0xff) % 4]!,
    seed: hash >>> 16,
  }
}

/**
 * Returns a random generator that returns numbers from 0 to 1, the same sequence for the same seed. The algorithm is mulberry32
 * (T. Ettinger, public domain).
 */
export function randomFrom(seed: number): () => number {
  let state = (seed + 0x6d2b79f5) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Returns a 32-bit hash of a text: FNV-1a (Fowler, Noll, Vo) over the UTF-8 bytes, followed by the finalizer of murmur3, which
 * makes the hashes of similar short names different.
 */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
