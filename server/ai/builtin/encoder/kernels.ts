import {
  add,
  addFloats,
  assemble,
  block,
  branch,
  branchIf,
  constant,
  dotBytes,
  fuseFloats,
  get,
  isAtLeast,
  isGreater,
  isLess,
  load,
  loadSplat,
  loop,
  maxFloats,
  multiply,
  multiplyFloats,
  set,
  splatFloat,
  splatWhole,
  store,
  toFloats,
} from './assembler.ts'

/** Columns of a panel: the right matrix lies in memory panel by panel, row by row, so that it is read straight through. */
export const PANEL = 8
/** Rows that one pass takes: with two vectors a row, all sums of a pass stay in the sixteen registers there are. */
const ROWS = 4
const VECTORS = 2

/** The two products of matrices. All places and widths are in bytes. */
export interface Kernels {
  /** c = a · b of floats: `rows` × `depth` by `depth` × `panels` · 8. */
  multiplyFloats(
    a: number,
    aWidth: number,
    b: number,
    c: number,
    cWidth: number,
    rows: number,
    depth: number,
    panels: number,
  ): void
  /**
   * c = (a · b + row start) × row scale × column scale + bias, at least `floor`. `a` are signed bytes, `b` bytes of 0 to 127,
   * four rows of a panel side by side; `depth` is that of `a` in bytes, a multiple of 4. `rowInfo` holds the scale (float)
   * and the start (whole) of each row, `columnInfo` the scales of a panel and then its biases.
   */
  multiplyBytes(
    a: number,
    aWidth: number,
    b: number,
    c: number,
    cWidth: number,
    rows: number,
    depth: number,
    panels: number,
    rowInfo: number,
    columnInfo: number,
    floor: number,
  ): void
}

/** The kernels over this memory. Compiled in a millisecond; they use the machine's widest sums of products of bytes. */
export function loadKernels(memory: WebAssembly.Memory): Kernels {
  const bytes = assemble({ multiplyFloats: program('floats'), multiplyBytes: program('bytes') })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  return exports as unknown as Kernels
}

const [A, A_WIDTH, B, C, C_WIDTH, COUNT, DEPTH, PANELS, ROW_INFO, COLUMN_INFO, FLOOR] = [...Array(11).keys()] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

function program(kind: 'floats' | 'bytes') {
  const parameters = kind === 'floats' ? 8 : 11
  let next = parameters
  const local = () => next++
  const panel = local()
  const row = local()
  const b = local()
  const c = local()
  const a = local()
  const end = local()
  const info = local()
  const ofRow = Array.from({ length: ROWS }, local)
  const whole = next - parameters
  const sums = Array.from({ length: ROWS }, () => Array.from({ length: VECTORS }, local))
  const right = Array.from({ length: VECTORS }, local)
  const left = local()
  const vectors = next - parameters - whole
  const bump = (what: number, by: number[]) => [...get(what), ...by, ...add, ...set(what)]
  const lanes = Array.from({ length: VECTORS }, (_, lane) => lane)

  /** The sums of `count` rows of `a` with one panel, written to `c`; moves `a`, `c` and `info` on. */
  const pass = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => index)
    const start = (index: number) =>
      kind === 'floats' ? [...constant(0), ...splatWhole] : [...get(info), ...loadSplat(index * 8 + 4)]
    const term = kind === 'floats' ? fuseFloats : dotBytes
    const step = [
      ...lanes.flatMap((lane) => [...get(b), ...load(lane * 16), ...set(right[lane]!)]),
      ...rows.flatMap((index) => [
        ...get(ofRow[index]!),
        ...loadSplat(),
        ...set(left),
        ...lanes.flatMap((lane) => {
          const sum = sums[index]![lane]!
          return [...get(left), ...get(right[lane]!), ...get(sum), ...term, ...set(sum)]
        }),
        ...bump(ofRow[index]!, constant(4)),
      ]),
      ...bump(b, constant(VECTORS * 16)),
    ]
    const finished = (index: number, lane: number) => {
      const sum = get(sums[index]![lane]!)
      if (kind === 'floats') return sum
      const scaled = [...sum, ...toFloats, ...get(info), ...loadSplat(index * 8), ...multiplyFloats]
      const column = [...get(COLUMN_INFO), ...load(lane * 16), ...multiplyFloats]
      const biased = [...get(COLUMN_INFO), ...load(lane * 16 + VECTORS * 16), ...addFloats]
      return [...scaled, ...column, ...biased, ...get(FLOOR), ...splatFloat, ...maxFloats]
    }
    const bytesOfRow = kind === 'floats' ? [...get(DEPTH), ...constant(4), ...multiply] : get(DEPTH)
    return [
      ...rows.flatMap((index) => [
        ...get(index === 0 ? a : ofRow[index - 1]!),
        ...(index === 0 ? [] : [...get(A_WIDTH), ...add]),
        ...set(ofRow[index]!),
        ...lanes.flatMap((lane) => [...start(index), ...set(sums[index]![lane]!)]),
      ]),
      ...get(B),
      ...set(b),
      ...get(a),
      ...bytesOfRow,
      ...add,
      ...set(end),
      ...loop([...step, ...get(ofRow[0]!), ...get(end), ...isLess, ...branchIf(0)]),
      ...rows.flatMap((index) => [
        ...lanes.flatMap((lane) => [...get(c), ...finished(index, lane), ...store(lane * 16)]),
        ...bump(c, get(C_WIDTH)),
      ]),
      ...bump(a, [...get(A_WIDTH), ...constant(count), ...multiply]),
      ...bump(info, constant(count * 8)),
      ...bump(row, constant(count)),
    ]
  }

  const bytesOfPanel = [...get(DEPTH), ...constant(kind === 'floats' ? PANEL * 4 : PANEL), ...multiply]
  const body = [
    ...constant(0),
    ...set(panel),
    ...loop([
      ...get(A),
      ...set(a),
      ...get(C),
      ...set(c),
      ...constant(0),
      ...set(row),
      ...(kind === 'bytes' ? [...get(ROW_INFO), ...set(info)] : []),
      ...block(
        loop([
          ...get(row),
          ...constant(ROWS),
          ...add,
          ...get(COUNT),
          ...isGreater,
          ...branchIf(1),
          ...pass(ROWS),
          ...branch(0),
        ]),
      ),
      ...block(loop([...get(row), ...get(COUNT), ...isAtLeast, ...branchIf(1), ...pass(1), ...branch(0)])),
      ...bump(B, bytesOfPanel),
      ...bump(C, constant(PANEL * 4)),
      ...(kind === 'bytes' ? bump(COLUMN_INFO, constant(PANEL * 8)) : []),
      ...bump(panel, constant(1)),
      ...get(panel),
      ...get(PANELS),
      ...isLess,
      ...branchIf(0),
    ]),
  ]
  const types = [
    ...Array.from({ length: whole }, () => 'whole' as const),
    ...Array.from({ length: vectors }, () => 'vector' as const),
  ]
  const given = Array.from({ length: parameters }, (_, index) =>
    index === 10 ? ('float' as const) : ('whole' as const),
  )
  return { parameters: given, locals: types, body }
}
