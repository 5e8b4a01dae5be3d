/**
 * What follows a call that changes something. It runs even when the part of the page that made the call is gone by
 * then, such as the row of what was removed: the callbacks that `mutate` takes would be left out there.
 */
export function whenDone<T>(
  call: Promise<T>,
  after: {
    onSuccess?: (result: T) => unknown
    onError?: (error: Error) => unknown
    onSettled?: () => unknown
  },
): void {
  // Without a handler of its own the failure stands in the state of the call, which the page shows.
  void call.then(after.onSuccess, after.onError ?? (() => undefined)).finally(after.onSettled)
}
