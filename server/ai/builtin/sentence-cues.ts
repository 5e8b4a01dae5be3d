import { SUBJECTS } from '#server/language/sample-size.ts'

/**
 * Tests for the function of a sentence in an English paper, by cue phrases. The phrases follow argumentative zoning
 * (Teufel & Moens 2002) and were written and tuned for this product.
 */

const FINDING =
  /\b(?:we|i) (?:also |further |additionally |clearly |only |mainly |have )*(?:found|find|observed?|demonstrated?|conclude[sd]?|identified|confirmed|saw|discovered|showed|show|noticed)\b|\b(?:results?|findings?|data|(?:this|our|the present) (?:study|work|paper|review|trial|survey)|analys[ie]s|experiments?|evaluation|evidence|model|tests?|responses)\b[^.;]{0,40}? (?:shows?|showed|indicates?|indicated|suggests?|suggested|reveal(?:s|ed)?|supports?|supported|confirm(?:s|ed)?|demonstrates?|demonstrated)\b|\bsignificant(?:ly)?\b|\b(?:positively|negatively|strongly|weakly|closely|inversely|directly|indirectly) (?:associated|correlated|related|affect(?:s|ed)?|influenc\w+|impact\w*)|\b(?:was|were|is|are) (?:\w+ )?associated with\b|\bcorrelat(?:es?|ed|ions?)\b|\boutperform(?:s|ed|ing)?\b|\bp\s?(?:-value)?\s?[<=>≤]\s?0?\.\d|\b(?:higher|lower|greater|fewer|more|less|better|worse|larger|smaller|longer|shorter|faster|slower|stronger|weaker)\b[^.;]{0,80}\b(?:than\b|compared\b|in the (?:\w+ ){1,3}group\b)|\b(?:compared (?:to|with)|in contrast to)\b|\b(?:increase[sd]?|decrease[sd]?|improve[sd]?|reduce[sd]?|declined?|dropped|rose|fell|achieve[sd]?|led to|leads to|resulted in|impacted|overrepresented|underrepresented|skewed)\b|\b(?:negative|positive|no|clear|strong|little|direct|indirect) (?:\w+ )?(?:effects?|impact|influence|evidence|differences?|support|association|relationship)\b|\b(?:more|less) (?:likely|often|\w+(?:ed|ive|al|ous|able|ful|ic))\b|\d+(?:\.\d+)?\s?%|\b(?:odds|hazard|risk|rate) ratio\b|\b95\s?% (?:ci|confidence)\b|\bwas observed\b|\bwere observed\b/i
const METHOD =
  /\b(?:we|i) (?:then |first |also |further |next |therefore |thus |only |manually |randomly )*(?:use[ds]?|conduct(?:ed)?|perform(?:ed)?|measured?|analy[sz]ed?|collect(?:ed)?|recruit(?:ed)?|invit(?:e|ed)|asked?|applied|apply|calculated?|computed?|compared?|defined?|select(?:ed)?|chose|choose|translated?|evaluated?|evaluate|create[ds]?|built|build|designed?|implement(?:ed)?|tested|test|consider(?:ed)?|distinguish|divided?|assum(?:e|ed)|exclud(?:e|ed)|includ(?:e|ed)|follow(?:ed)?|adopt(?:ed)?|employ(?:ed)?|estimat(?:e|ed)|adjusted?|modell?ed|report|present|describe[ds]?|discuss|introduce)\b|\b(?:was|were) (?:then |also |randomly )?(?:measured|assessed|collected|recruited|performed|conducted|calculated|computed|analy[sz]ed|obtained from|selected|translated|created|used|administered|assigned|asked|invited|carried out|recorded|evaluated|tested|chosen|defined|excluded|sent)\b/i
const OBJECTIVE =
  /\b(?:aims?|objectives?|purpose|goal)\b[^.;]{0,60}\b(?:to|was|is|of)\b|\b(?:this|the present|our|the current) (?:paper|study|article|work|review|trial|survey|contribution)\b[^.;]{0,20}\b(?:presents?|investigat\w+|examin\w+|explor\w+|reports?|describes?|proposes?|introduces?|evaluat\w+|analy[sz]es|addresses|focus\w*|seeks|aims?|assess\w*|compar\w+)\b|\bwe (?:investigated?|propose|present|introduce|examine[ds]?|describe|report on|aim(?:ed)?|sought|explore[ds]?|focus(?:ed)?|studied|hypothesi[sz]ed)\b|\bto (?:determine|examine|assess|investigate|evaluate|explore) (?:whether|the|how|if)\b|\bwe (?:therefore |also )?(?:asked|tested|ask|test) (?:whether|how|if|which)\b/i
/**
 * Matches sentences that describe the structure of the paper, refer to a figure or table, give an example, or state a research
 * question, a hypothesis, a plan or future work.
 */
const GUIDE =
  /\b(?:in (?:this|the (?:next|following|previous|remainder)) (?:section|chapter|paper|article|subsection)|(?:this|the following|next) (?:section|chapter)|section \d|sect\. \d|is organi[sz]ed as|as follows|(?:shown|depicted|illustrated|presented|listed|summari[sz]ed|displayed|given|reported|provided|detailed) in (?:the )?(?:fig|tab|section|appendix|equation|algorithm)|(?:fig(?:ure|\.)?|table|listing|algorithm) \w+ (?:shows?|presents?|depicts?|illustrates?|lists?|summari[sz]es?|displays?|reports?|provides?|gives?|contains?)|see (?:fig|tab|section)|cf\.|research questions?|hypothes[ie]s (?:is|are|was|were)? ?(?:that|if|whether)|we (?:hypothesi[sz]e|expect|plan|intend|would|(?:\w+ ){0,2}will)|future (?:work|research|studies|investigations?)|null hypothesis|alternative hypothesis|for (?:example|instance),|e\.g\.)/i
/** Matches a mention of others' work: a bracketed citation, or words such as 'previous studies'. */
const CITED =
  /\((?:see |e\.g\.,? )?\p{Lu}[^()]{0,120}\b(?:19|20)\d\d[a-z]?[^()]{0,60}\)|\[\d{1,3}(?:[,–-] ?\d{1,3})*\]|\bet al\b|\b(?:previous|prior|earlier|past|existing|other|recent|most) (?:\w+ )?(?:work|works|research|stud(?:y|ies)|literature|authors|findings|papers|evidence|approaches)\b/iu
const OWN =
  /\b(?:we|our|us|this study|this paper|the present study|these results|the results|participants|respondents)\b/i

const ADVICE =
  /\b(?:should|ought to|must|recommend(?:ed|s|ations?)?|advis(?:e|ed|able)|is (?:imperative|essential|crucial|advisable)|are (?:advised|encouraged|urged)|(?<!(?:the|a|no) )needs? to|we (?:suggest|encourage|urge|advise)|it is (?:important|necessary) (?:to|that)|is warranted|may require|requires? (?:extra|more|better|urgent))\b/i
/** Matches an act of the authors that is not a finding: 'We increased the number of exercises'. */
const OWN_ACT =
  /\bwe (?:\w+ ){0,2}?(?:increased|improved|reduced|decreased|provide[ds]?|updated|added|dropped|offer(?:ed)?|achieve this)\b/i

/** Returns whether the sentence reports a result of the study. */
export const isFinding = (text: string) => FINDING.test(text.replace(OWN_ACT, ''))
/** Returns whether the sentence recommends an action. */
export const isAdvice = (text: string) => ADVICE.test(text)
/** Returns whether the sentence describes how the study was done. */
export const isMethod = (text: string) => METHOD.test(text)
/** Returns whether the sentence states an aim of the study. */
export const isObjective = (text: string) => OBJECTIVE.test(text)
/** Returns whether the sentence points to a part of the paper ('see Table 2'), or states a hypothesis or a plan. */
export const isGuide = (text: string) => GUIDE.test(text)
/** Returns whether the sentence reports only others' findings. */
export const isOfOthers = (text: string) => CITED.test(text) && !OWN.test(text)
/** Returns whether the sentence cites other work. */
export const isCiting = (text: string) => CITED.test(text)
/**
 * Returns whether the sentence has a number other than a year, an age of a group ('aged 65 and over') or the number of a
 * figure, a table or the like ('Figure 2').
 */
export const hasFigure = (text: string) =>
  /\d/.test(
    text.replace(
      /\b(?:19|20)\d\d\b|\b(?:fig(?:ure|\.)?|table|section|hypothesis|H|RQ|step|task ?#?|week|day|phase|type|group) ?\d+(?:\.\d+)?|aged \d+(?:(?: to | and |[–-])\d+)?|\[[\d, –-]+\]|COVID-19/giu,
      '',
    ),
  )
/** Matches a number of people or animals: '248 participants', 'twelve older adults', 'n = 96'. */
const SUBJECT_COUNT = new RegExp(
  String.raw`\b(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)(?: [\p{L}-]+){0,3} (?:${SUBJECTS})\b|\bn ?= ?\d|\bsample of \d`,
  'iu',
)
/** Matches words for taking part in a study. */
const TAKING_PART =
  /\b(?:took part|participat\w+|enroll?\w+|recruit\w+|randomi[sz]ed|randomly (?:assigned|allocated)|(?:were|was|we|study|trial|sample) (?:\w+ )?(?:included?|studied|examined|surveyed|interviewed|observed|invited)|completed|respond(?:ed|ents)|sample|volunteered|consented|cohort of)\b/i
/** Returns whether the sentence states how many people or animals a study had. */
export const statesSampleSize = (text: string) => SUBJECT_COUNT.test(text) && TAKING_PART.test(text)
/** Returns whether the sentence begins with a reference to a previous sentence. */
export const isDependent = (text: string) =>
  /^(?:this(?! (?:\w+ )?(?:study|paper|article|review|trial|work|survey|experiment|analysis)\b)|these|that|those|it|they|he|she|such|both|here|there,|the (?:former|latter|same|other|first|second|third)|another|one|some of (?:them|these)|(?:however|therefore|thus|hence|moreover|furthermore|additionally|nevertheless|nonetheless|consequently|similarly|likewise|instead|also|then|second(?:ly)?|third(?:ly)?|first(?:ly)?|finally|again|accordingly|conversely|in contrast|on the other hand|on one hand|rather|meanwhile|besides|further|overall,? this|as a result|for this|because of this|at the same time|still|yet|but|and|or|so|in addition|in this|in that|in these),?)\b/i.test(
    text,
  )

/** Matches an announcement of limitations: 'The study has three limitations.', 'The trial has limitations.' */
const ANNOUNCEMENT =
  /\b(?:two|three|four|five|six|seven|several|some|important|following|has|have|had)(?: \p{L}+){0,2} (?:limitations?|limits|weaknesses|shortcomings|threats to validity)\b/iu
const LONGEST_ANNOUNCEMENT = 80
/** Returns whether a text has the words of an announcement of limitations. */
export const announcesLimitations = (text: string): boolean => ANNOUNCEMENT.test(text)
/** Returns whether the sentence only announces limitations. */
export const isAnnouncement = (text: string): boolean => text.length <= LONGEST_ANNOUNCEMENT && ANNOUNCEMENT.test(text)
