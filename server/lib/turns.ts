import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Returns a function that runs tasks with a key, such as a user's id. At most `atOnce` tasks with the same key run at the same
 * time; further tasks start in the order of their calls. Tasks with different keys do not wait for each other.
 */
export function createTurns(atOnce: number) {
  const limits = new Map<string, LimitFunction>()
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const limit = limits.get(key) ?? pLimit(atOnce)
    limits.set(key, limit)
    try {
      return await limit(task)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key)
    }
  }
}
