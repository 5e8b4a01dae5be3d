import { headingsOf, type PaperPart } from '#server/language/question-part.ts'
import { sectionsOf } from '#server/language/section-headings.ts'
import type { Sentence } from './quotable-sentences.ts'
import { isFinding, isGuide, isMethod, isObjective, isOfOthers } from './sentence-cues.ts'

/** 'The study has three limitations.' */
const ANNOUNCEMENT =
  /^(?:(?:this|our|the|these) \p{L}+ (?:has|have|had)|there (?:are|were)|we (?:see|note)) (?:\p{L}+ ){0,3}(?:limitations?|weaknesses|shortcomings|threats to validity)(?: \p{L}+){0,2}[.:]$/iu

/** Returns how well a sentence fits the part of a paper that a general question asks for, 0..1. */
export function fitOf(part: PaperPart, { text, start, passage }: Pick<Sentence, 'text' | 'start' | 'passage'>): number {
  if (part === 'authors' || isGuide(text) || isOfOthers(text) || ANNOUNCEMENT.test(text)) return 0
  // In a structured abstract, labels give the kind of each sentence.
  if (part !== 'methods' && /^(?:Background|Context|Introduction|Methods?)\b\s*[:.]?\s+\p{Lu}/u.test(text)) return 0
  if (part === 'findings')
    return isFinding(text) && !/^(?:Objectives?|Aims?|Purpose)\b\s*[:.]?\s+\p{Lu}/u.test(text) ? 1 : 0
  if (part === 'methods') return isMethod(text) ? 1 : 0
  if (part === 'overview') return isObjective(text) ? 1 : isFinding(text) ? 0.7 : 0
  const headings = headingsOf(part)
  // 'Limitations: One hospital was studied.'
  if (headings.some((heading) => heading.test(/^\p{L}[\p{L} ]{0,40}(?=:)/u.exec(text)?.[0] ?? ''))) return 1
  const sections = sectionsOf([passage.content])[0] ?? []
  const section = sections.find(({ heading }) => headings.some((one) => one.test(heading))) ?? sections[0]
  const place = start - passage.page_offset
  return section && place >= section.start && place < section.end ? 1 : 0
}
