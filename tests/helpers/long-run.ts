/**
 * True in `npm run test:hostile`, which tries every input and runs the tests that take more than ten seconds. `npm test` tries a
 * sample of the inputs and reports these tests as skipped.
 */
export const IS_LONG_RUN = Boolean(process.env['EVERY_INPUT'])
