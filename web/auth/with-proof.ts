import { ApiError } from '#web/lib/api.ts'

interface Asked {
  open: boolean
  answer: (proved: boolean) => void
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** Store of the pending re-authentication dialog. */
export const proofAsked = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  now: () => asked,
}

function set(next: Asked | null) {
  asked = next
  for (const listener of listeners) listener()
}

/** Closes the dialog. `proved`: whether the user has re-authenticated. */
export function endProof(proved: boolean): void {
  asked?.answer(proved)
  if (asked) set({ ...asked, open: false })
}

/**
 * Makes a call that needs a recent sign-in. If the server requires re-authentication, asks for it and repeats the call.
 */
export async function withProof<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error
    asked?.answer(false)
    const proved = await new Promise<boolean>((answer) => set({ open: true, answer }))
    if (!proved) throw error
    return call()
  }
}
