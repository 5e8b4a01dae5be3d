/**
 * A queue with one lane per person. `take` serves the person who was served longest ago, and each person's items in the
 * order in which they came: a person with many items delays every other person by one item at most.
 */
export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>()
  /** The number of the turn in which each person was last served, counted over all persons; stored until `forget`. */
  readonly #served = new Map<string, number>()
  #servings = 0
  #size = 0

  /** Items of all persons. */
  get size(): number {
    return this.#size
  }

  /** Items of one person. */
  countOf(person: string): number {
    return this.#waiting.get(person)?.length ?? 0
  }

  add(person: string, item: T): void {
    const own = this.#waiting.get(person)
    if (own) own.push(item)
    else this.#waiting.set(person, [item])
    this.#size += 1
  }

  /** Removes and returns the next item that `fits`; undefined when there is none. */
  take(fits: (item: T) => boolean = () => true): T | undefined {
    let next: { person: string; own: T[]; at: number; served: number } | undefined
    for (const [person, own] of this.#waiting) {
      const served = this.#served.get(person) ?? 0
      if (next && served >= next.served) continue
      const at = own.findIndex(fits)
      if (at >= 0) next = { person, own, at, served }
    }
    if (!next) return undefined
    this.#served.set(next.person, (this.#servings += 1))
    return this.#removeAt(next.person, next.own, next.at)
  }

  /** Removes an item that no longer waits; false when it is not there. */
  remove(person: string, item: T): boolean {
    const own = this.#waiting.get(person)
    const at = own?.indexOf(item) ?? -1
    if (!own || at < 0) return false
    this.#removeAt(person, own, at)
    return true
  }

  /** Clears the turns in which persons were served. Call it when no task waits or runs. */
  forget(): void {
    this.#served.clear()
  }

  #removeAt(person: string, own: T[], at: number): T {
    const [item] = own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(person)
    this.#size -= 1
    return item!
  }
}
