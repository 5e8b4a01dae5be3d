/** A group of words for one unit or quantity: `asks` matches one in a question, `means` any of them in a text. */
interface Meaning {
  asks: RegExp
  means: RegExp
}

const unit = (asks: string, means: string): Meaning => ({
  asks: new RegExp(`^(?:${asks})$`, 'i'),
  means: new RegExp(means, 'iu'),
})

/** Units with their symbols. Units of time and the percent have too many other forms ('a third', 'daily'). */
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

/** Quantities and properties that a question can ask for. */
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
  unit('versions?', String.raw`version|release|\bv\d|\d+\.\d+\.\d+`),
  unit('software', String.raw`software|program|package|\btool|\bcode\b|\bapp\b|librar`),
]
