import { ApiError } from '#web/lib/api.ts'

interface PendingProof {
  open: boolean
  answer: (proved: boolean) => void
}

let pending: PendingProof | null = null
const listeners = new Set<() => void>()

/**
 * Store of the state of the re-authentication dialog, for `useSyncExternalStore`. `now` returns the current or last
 * re-authentication; null if there was none yet. `subscribe` returns a function that unsubscribes.
 */
export const pendingProof = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  now: () => pending,
}

function set(next: PendingProof | null) {
  pending = next
  for (const listener of listeners) listener()
}

/** Closes the re-authentication dialog. `proved`: whether the user has re-authenticated. */
export function endProof(proved: boolean): void {
  pending?.answer(proved)
  if (pending) set({ ...pending, open: false })
}

/**
 * Makes a call that needs a recent sign-in. If the server requires re-authentication, asks for it and repeats the call. Throws
 * the error of the first call if the user cancels the dialog.
 */
export async function withProof<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error
    pending?.answer(false)
    const proved = await new Promise<boolean>((answer) => set({ open: true, answer }))
    if (!proved) throw error
    return call()
  }
}
