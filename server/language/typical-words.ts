import { asksForAmount, asksForHarm } from './harms-and-costs.ts'
import { asksForSampleSize } from './sample-size.ts'

/** Typical words of texts that answer questions about harms, costs and the size of a sample. */
const TYPICAL = {
  harm: 'adverse events, side effects, complications and harms were reported',
  amount: 'costs, price in euros or dollars',
  size: 'participants or patients were enrolled, recruited, randomised or included and completed the study',
} as const

/**
 * Returns words that are typical of answers to a question about harms, costs or the size of a sample, so that a search for the
 * question also finds passages with these words. Returns null for other questions.
 */
export const typicalWords = (question: string): string | null =>
  asksForHarm(question)
    ? TYPICAL.harm
    : asksForAmount(question)
      ? TYPICAL.amount
      : asksForSampleSize(question)
        ? TYPICAL.size
        : null
