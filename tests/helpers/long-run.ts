/**
 * Whether this is a long run. `npm run test:hostile` is one: it tries every input and runs the tests that take more than ten
 * seconds. `npm test` tries a sample of the inputs and skips those tests.
 */
export const IS_LONG_RUN = Boolean(process.env['EVERY_INPUT'])
