const NAMES =
  'abstract|summary|highlights|introduction|background|related work|literature review|objectives?|aims?|hypothes[ie]s|theory|' +
  'methods?|methodology|materials and methods|methods and materials|study design|experimental setup|experiment(?:al)? design|data(?: collection| analysis| availability)?|' +
  'participants|procedure|intervention|outcomes?|measures|statistical analysis|evaluation|results?(?: and discussion)?|findings|discussion|' +
  'implications|recommendations|limitations?(?: and future work)?|threats to validity|strengths and limitations|future work|conclusions?(?: and future work)?|' +
  'statement of need|acknowledge?ments?|funding|competing interests|conflicts? of interest|ethics|author contributions|appendix'
const NAMED = new RegExp(`^(?:${NAMES})$`, 'i')
const NUMBERED = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,4}\.|[A-Z]\.)\s+\p{Lu}[\p{L}\p{N} ,:&’'()/-]{2,70}$/u
const CAPITALS = /^\p{Lu}[\p{Lu} &:/-]{4,60}$/u

const RUN_ON = /^(Abstract|ABSTRACT|Summary|SUMMARY)(?=[\s:.—–-]*\p{Lu})/u

/** Returns whether a line is a section heading: numbered, in capitals, or a usual section name. */
export function isHeading(line: string): boolean {
  const words = line.trim()
  if (words.length > 80) return false
  return (
    NAMED.test(words.replace(/[:.]$/, '')) || NUMBERED.test(words) || (CAPITALS.test(words) && /\p{Lu}{4}/u.test(words))
  )
}

/** A part of a chunk under one heading; offsets in the chunk's content. */
export interface Section {
  heading: string
  start: number
  end: number
}

/**
 * Returns, for each chunk of a paper in order, its parts by heading ('' before the first heading). A heading that
 * continues in text ("Abstract Context As a novel virus …") counts at the beginning of a chunk or line.
 */
export function sectionsOf(contents: readonly string[]): Section[][] {
  let running = ''
  return contents.map((content) => {
    const sections: Section[] = [{ heading: running, start: 0, end: content.length }]
    let at = 0
    for (const line of content.split('\n')) {
      const heading = isHeading(line) ? line.trim() : RUN_ON.exec(line)?.[1]
      if (heading) {
        sections.at(-1)!.end = at
        sections.push({ heading, start: at, end: content.length })
        running = heading
      }
      at += line.length + 1
    }
    return sections.filter(({ start, end }) => end > start)
  })
}
