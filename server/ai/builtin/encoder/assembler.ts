/** Instructions of WebAssembly as the bytes they are, named as in its text form. Only what `kernels.ts` uses. */

/** An unsigned number in the variable length of the format. */
function unsigned(value: number): number[] {
  const low = value & 127
  return value < 128 ? [low] : [low | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const low = value & 127
  const isLast = value >= -64 && value < 64
  return isLast ? [low] : [low | 128, ...signed(value >> 7)]
}

const vector = (code: number) => [0xfd, ...unsigned(code)]
const at = (offset: number, alignment: number) => [alignment, ...unsigned(offset)]

export const get = (local: number) => [0x20, ...unsigned(local)]
export const set = (local: number) => [0x21, ...unsigned(local)]
export const constant = (value: number) => [0x41, ...signed(value)]
export const add = [0x6a]
export const multiply = [0x6c]
export const isLess = [0x48]
export const isGreater = [0x4a]
export const isAtLeast = [0x4e]
/** Repeats `body` from its start at every `again(0)` in it; ends by running out. */
export const loop = (body: number[]) => [0x03, 0x40, ...body, 0x0b]
/** Leaves at `again(depth)`. */
export const block = (body: number[]) => [0x02, 0x40, ...body, 0x0b]
export const branch = (depth: number) => [0x0c, depth]
export const branchIf = (depth: number) => [0x0d, depth]

export const load = (offset = 0) => [...vector(0), ...at(offset, 2)]
export const loadSplat = (offset = 0) => [...vector(9), ...at(offset, 2)]
export const store = (offset = 0) => [...vector(11), ...at(offset, 2)]
export const splatWhole = vector(0x11)
export const splatFloat = vector(0x13)
export const multiplyFloats = vector(0xe6)
export const addFloats = vector(0xe4)
export const maxFloats = vector(0xeb)
export const toFloats = vector(0xfa)
/** a × b + c of floats. */
export const fuseFloats = vector(0x105)
/** Adds the products of sixteen signed bytes and sixteen of 0 to 127 to four whole numbers, four to each. */
export const dotBytes = vector(0x113)

/** What a local holds. */
export const TYPES = { whole: 0x7f, float: 0x7d, vector: 0x7b } as const
type Type = keyof typeof TYPES

interface Program {
  parameters: Type[]
  locals: Type[]
  body: number[]
}

/** A module that exports these functions and works in the memory `env.memory`. */
export function assemble(programs: Record<string, Program>): Uint8Array<ArrayBuffer> {
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content]
  const list = (items: number[][]) => [...unsigned(items.length), ...items.flat()]
  const text = (word: string) => [word.length, ...new TextEncoder().encode(word)]
  const all = Object.entries(programs)
  const types = all.map(([, { parameters }]) => [0x60, ...list(parameters.map((type) => [TYPES[type]])), 0])
  const codes = all.map(([, { locals, body }]) => {
    const code = [...list(locals.map((type) => [1, TYPES[type]])), ...body, 0x0b]
    return [...unsigned(code.length), ...code]
  })
  return new Uint8Array([
    0,
    ...new TextEncoder().encode('asm'),
    1,
    0,
    0,
    0,
    ...section(1, list(types)),
    ...section(2, list([[...text('env'), ...text('memory'), 2, 0, 1]])),
    ...section(3, list(all.map((_, index) => unsigned(index)))),
    ...section(7, list(all.map(([name], index) => [...text(name), 0, ...unsigned(index)]))),
    ...section(10, list(codes)),
  ])
}
