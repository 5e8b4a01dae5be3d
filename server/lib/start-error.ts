/** An error at the start that the operator can fix: the program prints its one-line message, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
