/** An error of the start that the operator can mend: the program prints its message, one line, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
