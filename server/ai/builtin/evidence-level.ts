import { evidenceLevelText, UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'
import type { Statement } from './statements.ts'

/** A study design, its level (Oxford CEBM 2011, treatment benefits) and its words. */
interface Design {
  level: number
  name: string
  cue: RegExp
  /** Whether a match in the title is enough; otherwise the study must name it as its own. */
  inTitle: boolean
}

const DESIGNS: readonly Design[] = [
  {
    level: 1,
    name: 'Systematic review or meta-analysis',
    inTitle: true,
    cue: /\b(?:systematic (?:literature |scoping )?review|systematic mapping study|(?:network )?meta-?analys[ei]s|PRISMA)\b/gi,
  },
  {
    level: 2,
    name: 'Randomised controlled trial',
    inTitle: true,
    cue: /\brandomi[sz]ed,? (?:[\w-]+,? ){0,4}?(?:trial|study|experiment)\b|\bcluster-?randomi[sz]ed\b|\b(?:were|was|we|are) (?:\w+ ){0,3}?(?:randomi[sz]ed|randomly (?:assigned|allocated))\b|\brandomly (?:assigned|allocated) (?:participants|patients|students|subjects|to)\b|\bdouble-?blind(?:ed)?\b|\bplacebo-controlled\b/gi,
  },
  {
    level: 3,
    name: 'Cohort or longitudinal study',
    inTitle: true,
    cue: /\b(?:prospective|retrospective|population-based|birth|historical) cohort\b|\bcohort study\b|\blongitudinal (?:\w+ )?(?:study|survey|analysis)\b|\bfollow-?up study\b|\bwe (?:prospectively )?followed (?:up )?\d/gi,
  },
  {
    level: 3,
    name: 'Controlled experiment',
    inTitle: true,
    cue: /\bcontrolled experiment\b|\bquasi-?experiment(?:al)?\b|\bnon-?randomi[sz]ed (?:\w+ )?(?:trial|study)\b|\bcontrolled before-and-after\b/gi,
  },
  { level: 4, name: 'Case-control study', inTitle: true, cue: /\bcase-?control(?:led)? (?:study|design|analysis)\b/gi },
  {
    level: 4,
    name: 'Cross-sectional study or survey',
    inTitle: true,
    cue: /\bcross-sectional\b|\b(?:questionnaire|online|web-based|postal|telephone|national|anonymous)(?:-based)? (?:questionnaire )?survey\b|\bwe surveyed\b|\bsurvey (?:of|with|among) (?:\d|developers|patients|students|nurses|physicians|practitioners)/gi,
  },
  {
    level: 4,
    name: 'Case series or review of records',
    inTitle: true,
    cue: /\bcase series\b|\bretrospective(?:ly)? (?:review|analy[sz]\w+|study|chart)\b|\b(?:medical|clinical|hospital|laboratory|patient|health)(?: and (?:medical|clinical|hospital|laboratory))? records of\b|\bchart review\b/gi,
  },
  {
    level: 4,
    name: 'Case study or case report',
    inTitle: true,
    cue: /\bcase report\b|\b(?:multiple-?|single-|exploratory |industrial |longitudinal )?case study\b/gi,
  },
  {
    level: 5,
    name: 'Laboratory or animal study',
    inTitle: true,
    cue: /\bin vitro\b|\b(?:mouse|murine|rat|animal) models?\b|\bin (?:mice|rats|zebrafish)\b/gi,
  },
  {
    level: 5,
    name: 'Narrative review or expert opinion',
    inTitle: true,
    cue: /\bnarrative review\b|\bexpert opinion\b|\bviewpoint\b|\bposition paper\b/gi,
  },
]

/** Before the cue in its clause: negated, desired, or by others. */
const NOT_THIS_STUDY =
  /\b(?:no|not|nor|neither|never|without|lack(?:s|ing)?(?: of)?|absence of|few|instead of|rather than|unlike|future|further|need(?:s|ed)?(?: for)?|warrant(?:s|ed)?|should|would|could|previous(?:ly)?|prior|earlier|existing|recent|several|other|another|many|numerous|published|past|some|most|cited|included|eligible|protocol for|according to|similar to|in contrast to|compared (?:to|with)|unless|until|if)\b[^.;:]{0,60}$/i
const SELF =
  /\b(?:we|our|this (?:\w+ )?(?:study|paper|article|review|trial|survey|experiment|analysis|report)|the present (?:study|review|trial)|the current (?:study|review|trial))\b|\b(?:was|were) (?:\w+ )?(?:conducted|performed|carried out|created|searched|recruited|randomi[sz]ed|assigned|allocated|collected|surveyed|reviewed|organi[sz]ed|analy[sz]ed|enrolled|included|followed|used)\b/i
const CITATION_AFTER = /^[^.;]{0,80}(?:\(\p{Lu}[^()]{0,80}(?:19|20)\d\d|\[\d)/u

/**
 * Returns the evidence level of the design that the study names as its own in title, abstract or methods, with that
 * sentence. Ignores negated, desired and others' designs; 'Unknown' without a clear cue.
 */
export function findEvidenceLevel(
  title: string | null,
  statements: readonly Statement[],
): { text: string; quote: string | null } {
  const inTitle = title ? DESIGNS.filter((one) => one.inTitle && speaksOf(title, one, true)) : []
  const zones = [
    statements.filter((one) => one.role === 'abstract' && one.move !== 'background'),
    statements.filter((one) => one.role === 'methods').slice(0, 150),
    statements.filter((one) => one.role === 'introduction' && SELF.test(one.text)).slice(0, 60),
  ]
  const found = zones.flatMap((zone, place) =>
    DESIGNS.flatMap((design) => {
      const statement = zone.find((one) => speaksOf(one.text, design, false))
      return statement ? [{ design, statement, place }] : []
    }),
  )
  // A controlled experiment with groups assigned by chance is a randomised one.
  const titled = strongest(inTitle)
  if (titled) {
    const design = titled.level === 3 ? (found.find((one) => one.design.level === 2)?.design ?? titled) : titled
    const quote = design === titled ? title : found.find((one) => one.design === design)!.statement.text
    return { text: evidenceLevelText(design.level, design.name), quote }
  }
  const place = Math.min(...found.map((one) => one.place))
  const nearest = found.filter((one) => one.place === place)
  const best = nearest.toSorted(
    (a, b) => a.design.level - b.design.level || DESIGNS.indexOf(a.design) - DESIGNS.indexOf(b.design),
  )[0]
  if (!best) return { text: UNKNOWN_EVIDENCE_LEVEL, quote: null }
  if (best.design.level === 3) {
    const randomised = found.find((one) => one.design.level === 2 && one.place <= 1)
    if (randomised) return { text: evidenceLevelText(2, randomised.design.name), quote: randomised.statement.text }
  }
  return { text: evidenceLevelText(best.design.level, best.design.name), quote: best.statement.text }
}

const strongest = (designs: readonly Design[]) => designs.toSorted((a, b) => a.level - b.level)[0]

function speaksOf(text: string, design: Design, isTitle: boolean): boolean {
  if (!isTitle && !SELF.test(text) && !/^(?:design|a|an|this)\b/i.test(text)) return false
  return [...text.matchAll(design.cue)].some((found) => {
    const before = text.slice(Math.max(0, found.index - 90), found.index)
    const after = text.slice(found.index + found[0].length)
    return (
      !NOT_THIS_STUDY.test(before) &&
      (isTitle || !CITATION_AFTER.test(after)) &&
      !(isTitle && /\bprotocol\b/i.test(text))
    )
  })
}
