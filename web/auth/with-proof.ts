import { ApiError } from '#web/lib/api.ts'

interface Asked {
  open: boolean
  answer: (proved: boolean) => void
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** What is asked at the moment, for whoever draws it. */
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

/** Ends the question: its person has proved who they are, or does not want to. */
export function endProof(proved: boolean): void {
  asked?.answer(proved)
  if (asked) set({ ...asked, open: false })
}

/** Makes a call that a session of long ago may not make: its person is asked who they are, and then it is made again. */
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
