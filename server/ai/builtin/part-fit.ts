import { headingsOf, type PaperPart } from '#server/language/question-part.ts'
import { sectionsOf } from '#server/language/section-headings.ts'
import type { Sentence } from './quotable-sentences.ts'
import { isFinding, isGuide, isMethod, isObjective, isOfOthers } from './sentence-cues.ts'

/** 'The study has three limitations.', 'Three limitations must be kept in mind.' */
const ANNOUNCEMENT =
  /\b(?:two|three|four|five|six|several|some|important|following)(?: \p{L}+){0,2} (?:limitations?|weaknesses|shortcomings|threats to validity)\b/iu
const LONGEST_ANNOUNCEMENT = 80
/** Words of a limitation outside a section with this heading. */
const LIMITATION =
  /\blimitations?\b|\b(?:did|could|can|may|might) ?not\b|\bgenerali[sz]|\bbias(?:ed)?\b|\bonly (?:one|two|a few)\b|\bself-reported\b/i

/**
 * Returns how well a sentence fits the part of a paper that a general question asks for, 0..1. `beforeHeading`: the fit of a
 * sentence before the first heading of its passage, which is 1 if the passages were chosen by their headings.
 */
export function fitOf(
  part: PaperPart,
  { text, start, passage }: Pick<Sentence, 'text' | 'start' | 'passage'>,
  { beforeHeading }: { beforeHeading: number },
): number {
  if (part === 'authors' || isGuide(text) || isOfOthers(text)) return 0
  if (text.length <= LONGEST_ANNOUNCEMENT && ANNOUNCEMENT.test(text)) return 0
  // In a structured abstract, labels give the kind of each sentence.
  if (part !== 'methods' && /^(?:Background|Context|Introduction|Methods?)\b\s*[:.]?\s+\p{Lu}/u.test(text)) return 0
  if (part === 'findings')
    return isFinding(text) && !/^(?:Objectives?|Aims?|Purpose)\b\s*[:.]?\s+\p{Lu}/u.test(text) ? 1 : 0
  if (part === 'methods') return isMethod(text) ? 1 : 0
  if (part === 'overview') return isObjective(text) ? 1 : isFinding(text) ? 0.7 : 0
  const headings = headingsOf(part)
  // 'Limitations: One hospital was studied.'
  if (headings.some((heading) => heading.test(/^\p{L}[\p{L} ]{0,40}(?=:)/u.exec(text)?.[0] ?? ''))) return 1
  const place = start - passage.page_offset
  const sections = sectionsOf([passage.content])[0] ?? []
  const isHere = (section: { start: number; end: number } | undefined) =>
    section !== undefined && place >= section.start && place < section.end
  const named = sections.find(({ heading }) => headings.some((one) => one.test(heading)))
  if (isHere(named)) return 1
  if (part === 'limitations' && LIMITATION.test(text)) return Math.max(beforeHeading, 0.5)
  return !named && isHere(sections[0]) ? beforeHeading : 0
}
