/** A study design, and the words by which it is recognized. */
export interface StudyDesign {
  /**
   * The strength of the evidence of studies with this design: a number from 1 (strongest) to 5 by the table for treatment
   * benefits of Oxford CEBM 2011; null for a design that is not in this table.
   */
  level: number | null
  name: string
  cue: RegExp
  /**
   * The source of a regular expression that finds this design in `evidence_level`, a text that is stored with each analyzed
   * paper, such as 'Level 2: Randomised controlled trial'. It ignores case and is valid in JavaScript and PostgreSQL.
   */
  stored: string
}

/** The study designs that are recognized in a text. */
export const STUDY_DESIGNS: readonly StudyDesign[] = [
  {
    level: 1,
    name: 'Systematic review or meta-analysis',
    stored: 'systematic|meta-?analy',
    cue: /\b(?:systematic (?:literature |scoping )?review|systematic mapping study|(?:network )?meta-?analys[ei]s|PRISMA)\b/gi,
  },
  {
    level: 2,
    name: 'Randomised controlled trial',
    stored: '(?<!non)(?<!non-)randomi[sz]ed|RCT',
    cue: /\brandomi[sz]ed,? (?:[\w-]+,? ){0,4}?(?:trial|study|experiment)\b|\bcluster-?randomi[sz]ed\b|\b(?:were|was|we|are) (?:\w+ ){0,3}?(?:randomi[sz]ed|randomly (?:assigned|allocated))\b|\brandomly (?:assigned|allocated) (?:participants|patients|students|subjects|to)\b|\b(?:assigned|allocated) (?:\w+ )?at random\b|\bdouble-?blind(?:ed)?\b|\bplacebo-controlled\b/gi,
  },
  {
    level: 3,
    name: 'Cohort or longitudinal study',
    stored: 'cohort|longitudinal',
    cue: /\b(?:prospective|retrospective|population-based|birth|historical) cohort\b|\bcohort study\b|\blongitudinal (?:\w+ )?(?:study|survey|analysis)\b|\bfollow-?up study\b|\bwe (?:prospectively )?followed (?:up )?\d/gi,
  },
  {
    level: 3,
    name: 'Controlled experiment',
    stored: 'controlled experiment|quasi-?experiment|non-?randomi[sz]ed',
    cue: /\bcontrolled experiment\b|\bquasi-?experiment(?:al)?\b|\bnon-?randomi[sz]ed (?:\w+ )?(?:trial|study)\b|\bcontrolled before-and-after\b/gi,
  },
  {
    level: 4,
    name: 'Case-control study',
    stored: 'case-?control',
    cue: /\bcase-?control(?:led)? (?:study|design|analysis)\b/gi,
  },
  {
    level: 4,
    name: 'Cross-sectional study or survey',
    stored: 'cross-?sectional|survey',
    cue: /\bcross-sectional\b|\b(?:questionnaire|online|web-based|postal|telephone|national|anonymous)(?:-based)? (?:questionnaire )?survey\b|\bwe surveyed\b|\bsurvey (?:of|with|among) (?:\d|developers|patients|students|nurses|physicians|practitioners)/gi,
  },
  {
    level: 4,
    name: 'Case series or review of records',
    stored: 'case series|records|chart review',
    cue: /\bcase series\b|\bretrospective(?:ly)? (?:review(?:ed)?|analy[sz]\w+|study|chart)\b|\b(?:reviewed|analy[sz]ed) retrospectively\b|\b(?:medical|clinical|hospital|laboratory|patient|health)(?: and (?:medical|clinical|hospital|laboratory))? records of\b|\bchart review\b/gi,
  },
  {
    level: 4,
    name: 'Case study or case report',
    stored: 'case study|case report',
    cue: /\bcase report\b|\bwe (?:report|present|describe) (?:an?|the|one|two|three) (?:(?!use|test)\w+ ){0,2}?cases? (?:of|in|with)\b|\b\d{1,3}-(?:year|month|week|day)-old (?:[\w-]+ ){1,6}?(?:presented|developed|complained|was (?:admitted|referred|diagnosed))\b|\b(?:multiple-?|single-|exploratory |industrial |longitudinal )?case study\b/gi,
  },
  {
    level: 5,
    name: 'Laboratory or animal study',
    stored: 'laboratory|animal|vitro',
    cue: /\bin vitro\b|\b(?:mouse|murine|rat|animal) models?\b|\bin (?:mice|rats|zebrafish)\b/gi,
  },
  {
    level: 5,
    name: 'Narrative review or expert opinion',
    stored: 'narrative|opinion',
    cue: /\bnarrative review\b|\bexpert opinion\b|\bviewpoint\b|\bposition paper\b/gi,
  },
  {
    level: null,
    name: 'Qualitative study',
    stored: 'qualitative',
    cue: /\bqualitative(?:ly)? (?:[\w-]+ ){0,2}?(?:study|research|design|interviews?|approach|analysis|methods?|data)\b|\b(?:semi-?structured|in-depth|open-ended|unstructured) (?:\w+ ){0,2}?interviews?\b|\bfocus groups?\b|\bthematic(?:ally)? (?:\w+ )?analy[sz]\w+|\banaly[sz]ed thematically\b|\bgrounded theory\b|\b(?:phenomenolog|ethnograph)\w+|\bwe interviewed\b/gi,
  },
  {
    level: null,
    name: 'Mixed-methods study',
    stored: 'mixed[- ]methods?',
    cue: /\bmixed[- ]methods?\b/gi,
  },
]

/**
 * Matches words before the name of a design that show that the study does not have it: it is negated, recommended or the design
 * of another study.
 */
const NOT_THIS_STUDY =
  /\b(?:no|not|nor|neither|never|without|lack(?:s|ing)?(?: of)?|absence of|few|instead of|rather than|unlike|future|further|need(?:s|ed)?(?: for)?|warrant(?:s|ed)?|should|would|could|previous(?:ly)?|prior|earlier|existing|recent|several|other|another|many|numerous|published|past|some|most|cited|included|eligible|protocol for|according to|similar to|in contrast to|compared (?:to|with)|unless|until|if)\b[^.;:]{0,60}$/i
/** Matches words by which a text refers to its own study, such as 'we'. */
const OF_THIS_STUDY =
  /\b(?:we|our|this (?:\w+ )?(?:study|paper|article|review|trial|survey|experiment|analysis|report)|the present (?:study|review|trial)|the current (?:study|review|trial))\b|\b(?:was|were) (?:\w+ )?(?:conducted|performed|carried out|created|searched|recruited|randomi[sz]ed|assigned|allocated|collected|surveyed|reviewed|organi[sz]ed|analy[sz]ed|enrolled|included|followed|compared|interviewed|used)\b/i
const CITATION_AFTER = /^[^.;]{0,80}(?:\(\p{Lu}[^()]{0,80}(?:19|20)\d\d|\[\d)/u
/** Matches words after the name of a design that show that the design is recommended for other studies. */
const WANTED_AFTER = /^[^.;:]{0,60}\b(?:(?:is|are) (?:needed|required|warranted|necessary|planned)|should)\b/i

/** Returns whether a sentence refers to the study that its paper reports ('we', 'this study'). */
export const isOfThisStudy = (text: string): boolean => OF_THIS_STUDY.test(text)

/**
 * Returns whether a sentence names a design as the design of the study that its paper reports. Returns false if the design is
 * negated, recommended, or the design of another study. If `isTitle` is true, the text need not refer to its own study, but
 * must not be the title of a protocol.
 */
export function namesDesign(text: string, design: StudyDesign, isTitle: boolean): boolean {
  if (!isTitle && !isOfThisStudy(text) && !/^(?:(?:study )?design|(?:in )?(?:a|an|this))\b/i.test(text)) return false
  return [...text.matchAll(design.cue)].some((found) => {
    const before = text.slice(Math.max(0, found.index - 90), found.index)
    const after = text.slice(found.index + found[0].length)
    return (
      !NOT_THIS_STUDY.test(before) &&
      // 'The classes were not randomised.'
      !/\b(?:not|never|neither|nor|hardly)\b/i.test(found[0]) &&
      !(!isTitle && WANTED_AFTER.test(after)) &&
      (isTitle || !CITATION_AFTER.test(after)) &&
      !(isTitle && /\bprotocol\b/i.test(text))
    )
  })
}
