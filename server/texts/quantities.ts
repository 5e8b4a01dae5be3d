/**
 * Words for one unit or quantity. `asks` matches such a word in a question, `means` matches any expression of the unit or
 * quantity in a text.
 */
interface Meaning {
  asks: RegExp
  means: RegExp
}

const unit = (asks: string, means: string): Meaning => ({
  asks: new RegExp(`^(?:${asks})$`, 'i'),
  means: new RegExp(means, 'iu'),
})

/**
 * Units that a question can name (`asks`), each with its expressions in a text (`means`). Units of time and the percent are not
 * included, because texts express them in too many other ways ('a third', 'daily').
 */
export const UNITS: readonly Meaning[] = [
  unit('dollars?|usd', String.raw`\$|dollar|\bUSD?\b`),
  unit('euros?|eur', String.raw`€|euro|\bEUR\b`),
  unit('pounds?|gbp', String.raw`£|pound|\bGBP\b|\blbs?\b`),
  unit('yen', String.raw`¥|\byen\b|\bJPY\b`),
  unit('yuan', String.raw`¥|yuan|renminbi|\bCNY\b|\bRMB\b`),
  unit(
    'kilograms?|kilos?|grams?|milligrams?|micrograms?',
    String.raw`gram|\bkilo|\d\s?(?:k|m|µ|μ)?g\b|\b(?:k|m|µ|μ)?g\b`,
  ),
  unit('lit(?:er|re)s?|millilit(?:er|re)s?', String.raw`lit(?:er|re)|\d\s?[mµμ]?l\b|\bm?[lL]\b`),
  unit('gallons?', 'gallon'),
  unit('volts?|millivolts?|kilovolts?', String.raw`volt|\d\s?[mk]?V\b`),
  unit('watts?|kilowatts?|megawatts?', String.raw`watt|\d\s?[mkMG]?W(?:h|p)?\b`),
  unit('joules?|kilojoules?', String.raw`joule|\d\s?[mkM]?J\b`),
  unit('calories|kilocalories', String.raw`calori|\bk?cal\b`),
  unit('amperes?|amps?|milliamperes?', String.raw`amp(?:ere)?s?\b|\d\s?m?A\b`),
  unit('hertz|kilohertz|megahertz|gigahertz', String.raw`hertz|[kMG]?Hz\b`),
  unit('decibels?', String.raw`decibel|\bdB`),
  unit('pascals?|kilopascals?|bars?', String.raw`pascal|[kMh]?Pa\b|\bbar\b`),
  unit('celsius|fahrenheit|kelvin', String.raw`celsius|fahrenheit|kelvin|°|\d\s?K\b|degree`),
  unit('degrees?', 'degree|°'),
  unit(
    '(?:kilo|centi|milli)?met(?:er|re)s?|miles?|inch(?:es)?|feet|foot',
    String.raw`met(?:er|re)s?\b|\d\s?[kcmµμ]?m\b|mile|inch|\bf(?:ee|oo)t\b`,
  ),
  unit('hectares?|acres?', String.raw`hectare|acre|\bha\b`),
  unit('(?:kilo|mega|giga|tera)?bytes?', String.raw`byte|[kKMGT]i?B\b`),
]

/** Quantities and properties for which a question can ask (`asks`), each with its expressions in a text (`means`). */
export const QUANTITIES: readonly Meaning[] = [
  unit(
    'prices?|costs?|fees?|tuition|expensive|cheap',
    String.raw`\b(?:pric|cost|fee|paid|pay|expens|charg|fund|budget|financ|tuition|dollar|euro|pound|crown|cheap|spen[dt])|[$€£]`,
  ),
  unit('salary|salaries|wages?|earn(?:ed|ings?|s)?|incomes?', String.raw`\b(?:salar|wage|earn|income|paid|pay)`),
  unit('old|age|ages', String.raw`\b(?:age[ds]?|old|older|oldest|young\w*|years? of age|birth|born)\b`),
  unit(
    'female|females|male|males|gender|sex',
    String.raw`\b(?:fe)?males?\b|\b(?:wo)?m[ea]n\b|\bgender|\bsex\b|\bgirls?\b|\bboys?\b`,
  ),
  unit('humidity', String.raw`humid|moist`),
  unit('speed|velocity', String.raw`\bspeed|velocit|\bfast|\bm\/s\b|\bkm\/h\b|per second|\brate`),
  unit('efficiency', 'efficien'),
  unit('voltage', String.raw`volt|\d\s?[mk]?V\b`),
  unit('doses?|dosage', String.raw`\bdos(?:e|es|age|ing)\b|\d\s?(?:m|µ|μ)g\b`),
  unit('brands?|manufacturers?|vendors?', String.raw`\bbrand|manufactur|vendor|supplier|\bInc\b|\bLtd\b|GmbH|\bCorp`),
  unit('versions?', String.raw`version|release|\bv\d|\d\.\d+\.\d`),
  unit('software', String.raw`software|program|package|\btool|\bcode\b|\bapp\b|librar`),
  unit('temperatures?', String.raw`temperature|°|celsius|\bwarm|\bheat|\bcold|\bhot\b|\bcool|degree`),
  unit('weigh(?:ed|s|t)?|weights?', String.raw`weigh|\bmass\b|heav|gram|\d\s?k?g\b|\bBMI\b`),
  unit('bmi|obese|obesity', String.raw`\bBMI\b|body mass|obes|overweight`),
  unit('smok(?:e|ed|er|ers|ing)', String.raw`smok|tobacco|cigarette|nicotin`),
  unit('alcohol|drinking', String.raw`alcohol|drink|drunk|beer|wine|ethanol`),
  unit(
    'ethnicity|ethnic|race|races|racial',
    String.raw`ethni|\brac(?:e|es|ial)\b|\bblack\b|\bwhite\b|asian|hispanic|caucasian`,
  ),
  unit('religio(?:n|us)|religions', String.raw`religi|church|christ|muslim|islam|jew|hindu|buddh|faith|parish`),
  unit('marital|married', String.raw`marri|marital|spouse|husband|wife|wives|single|divorc|widow|wed`),
  unit('pregnan(?:t|cy|cies)', String.raw`pregnan|gestat|antenatal|prenatal|maternal`),
  unit(
    'mortality|deaths?|died|die|killed',
    String.raw`mortal|death|dead|\bdie[ds]?\b|dying|surviv|fatal|kill|deceased|lethal`,
  ),
  unit(
    'dropouts?|attrition',
    String.raw`drop(?:ped)?[- ]?out|attrition|withdr|lost to|left the|quit|completed|gave up|discontinu`,
  ),
  unit('ethics|ethical', String.raw`ethic|review board|\bIRB\b|approv|consent`),
  unit('consent(?:ed)?', String.raw`consent|agree|approv|permission`),
  unit('fund(?:ed|ing|er|ers)|sponsor(?:ed|s)?|grants?', String.raw`fund|sponsor|grant|support|financ|paid`),
  unit('emissions?|co2', String.raw`emission|emit|CO2|CO₂|carbon dioxide|greenhouse|exhaust`),
  unit('noise|loud(?:ness)?|decibels', String.raw`nois|loud|sound|decibel|\bdB|acoustic|quiet`),
  unit('altitude|elevation', String.raw`altitude|elevation|above sea|\bm a\.?s\.?l|\d\s?m\b|height`),
  unit('latitude|longitude', String.raw`latitude|longitude|°\s?[NSEW]|coordinates`),
  unit('salinity', String.raw`salin|\bsalt|brackish|psu\b`),
  unit('acidity|ph', String.raw`acid|\bpH\b|alkalin`),
  unit('vibrations?', String.raw`vibrat|shak|oscillat|shock`),
  unit('colou?rs?', String.raw`colou?r|\b(?:red|green|blue|yellow|black|white|brown|grey|gray|amber|orange|purple)\b`),
  unit('latency|latencies', String.raw`latenc|delay|response time|\d\s?[mµ]?s\b|second`),
  unit('bandwidth|throughput', String.raw`bandwidth|throughput|bit\/s|\bbps\b|per second|bytes`),
  unit('licen[cs]es?|licen[cs]ed', String.raw`licen[cs]|open[- ]source|copyright|\bGPL\b|\bMIT\b|Apache`),
  unit('nationality|nationalities|citizenship', String.raw`nationalit|citizen|countr|foreign|migra|abroad`),
  unit('toxic(?:ity)?|poison(?:ous|ed|ing)?', String.raw`toxi|poison|harm|lethal`),
  unit('side-?effects?|adverse', String.raw`side effect|adverse|harm|complication|toler|injur|safety`),
  unit('satisfaction|satisfied', String.raw`satisf|content\b|happy|pleased|rating|rated|lik(?:ed|ert)|prefer`),
  unit('anxiety|anxious', String.raw`anxi|worr|stress|fear|afraid|nervous`),
  unit('stress(?:ed)?', String.raw`stress|strain|burden|pressure|cortisol|anxi`),
  unit('profits?|profitable|revenues?', String.raw`profit|revenue|earn|income|margin|sales|sold|return|gain`),
  unit('taxes|tax', String.raw`\btax|duty|duties|levy|fiscal|tithe`),
  unit(
    'genes?|genetic|genom(?:e|es|ic)|dna|rna',
    String.raw`\bgen(?:e|es|etic\w*|om\w*)\b|\bDNA\b|\bRNA\b|\bPCR\b|sequenc|allel`,
  ),
  unit('encrypt(?:s|ed|ion)?', String.raw`encrypt|cipher|cryptogr|\bTLS\b|\bSSL\b`),
]
