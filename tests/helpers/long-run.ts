import { it } from 'vitest'

/** True in `npm run test:hostile`, which tries every input. `npm test` tries a sample, because the rest takes minutes. */
export const IS_LONG_RUN = Boolean(process.env['EVERY_INPUT'])

/** `it` for a test of more than ten seconds that only the long run executes. `npm test` counts it as skipped. */
export const itInLongRun = it.runIf(IS_LONG_RUN)
