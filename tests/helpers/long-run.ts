/**
 * True in `npm run test:hostile`, which tries every input and tests that take more than ten seconds. `npm test` tries a
 * sample, and counts these tests as skipped.
 */
export const IS_LONG_RUN = Boolean(process.env['EVERY_INPUT'])
