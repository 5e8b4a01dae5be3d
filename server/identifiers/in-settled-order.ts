/** Yields the results of promises in the order in which they settle. Throws the error of the first that is rejected. */
export async function* inSettledOrder<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const settled: Promise<T>[] = []
  let wake = Promise.withResolvers<void>()
  for (const promise of promises) {
    const settle = () => {
      settled.push(promise)
      wake.resolve()
    }
    void promise.then(settle, settle)
  }
  for (let left = promises.length; left > 0;) {
    if (settled.length === 0) {
      wake = Promise.withResolvers<void>()
      await wake.promise
    }
    for (const one of settled.splice(0)) {
      left -= 1
      yield await one
    }
  }
}
