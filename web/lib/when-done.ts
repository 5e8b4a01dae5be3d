/**
 * Calls `onSuccess` or `onError` after a mutation, even if the calling component has unmounted, such as the row of a deleted
 * item. TanStack Query does not call the callbacks of `mutate` in that case.
 */
export function whenDone<T>(
  call: Promise<T>,
  after: {
    onSuccess?: (result: T) => unknown
    onError?: (error: Error) => unknown
    onSettled?: () => unknown
  },
): void {
  // Without onError the failure is in the mutation state, which the page shows.
  void call.then(after.onSuccess, after.onError ?? (() => undefined)).finally(after.onSettled)
}
