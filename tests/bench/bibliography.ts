const WORDS =
  'sleep memory recall spindle cohort trial adults children nap evening recovery learning copper ward'.split(' ')

/**
 * Returns a file of `count` RIS records, numbered from `from`. Each record has an abstract of 1,500 characters, a usual length
 * in bibliographic databases.
 */
export function risOf(from: number, count: number): string {
  const word = (n: number) => WORDS[n % WORDS.length]!
  const abstract = (n: number) => Array.from({ length: 220 }, (_, at) => word(n * 7 + at * (1 + (n % 5)))).join(' ')
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    return [
      'TY  - JOUR',
      `TI  - Effects of ${word(n)} and ${word(n >> 3)} on ${word(n >> 5)} in group ${n} of a register`,
      `AU  - Family${n % 5003}, Ada`,
      `AU  - Marlowe${n % 91}, Ines`,
      `PY  - ${1990 + (n % 35)}`,
      `JO  - Journal ${n % 300}`,
      `VL  - ${n % 120}`,
      `SP  - ${n}`,
      `DO  - 10.5555/bench.${n}`,
      `AB  - ${abstract(n)}`,
      'KW  - sleep',
      'ER  - ',
      '',
    ].join('\r\n')
  }).join('')
}
