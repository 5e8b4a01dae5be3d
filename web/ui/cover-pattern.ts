/** Parameters of a cover: one of six cloth colors, one of four patterns, and a random seed. */
export interface CoverPlan {
  cloth: 1 | 2 | 3 | 4 | 5 | 6
  pattern: 'waves' | 'arcs' | 'dots' | 'rules'
  seed: number
}

const PATTERNS = ['waves', 'arcs', 'dots', 'rules'] as const

/**
 * Returns the cover plan of a project name. The trimmed, lower-cased name is hashed; byte 0 selects the cloth, byte 1
 * the pattern, the rest is the seed.
 */
export function coverPlan(name: string): CoverPlan {
  const hash = fnv1a(name.trim().toLowerCase())
  return {
    cloth: (((hash & 0xff) % 6) + 1) as CoverPlan['cloth'],
    pattern: PATTERNS[((hash >>> 8) & 0xff) % 4]!,
    seed: hash >>> 16,
  }
}

/** Returns a repeatable random generator for 0 to 1 (mulberry32, T. Ettinger, public domain method). */
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
 * FNV-1a over the UTF-8 bytes (Fowler, Noll, Vo), then the finalizer of murmur3, so that similar short names get
 * different hashes.
 */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
