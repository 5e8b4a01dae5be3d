/** The rights of each role, written independently of the product, so that an error in the product is not repeated here. */
const RIGHTS: Record<string, string> = {
  viewer: 'read',
  commenter: 'read comment',
  reviewer: 'read comment ask review',
  editor: 'read comment ask review edit',
  resolver: 'read comment ask review edit resolve',
  owner: 'read comment ask review edit resolve manage',
}
export const ROLES = Object.keys(RIGHTS)

export interface OracleDocument {
  id: string
  project: string | null
  creator: string
  isDeleted: boolean
}

/** A conversation over a project with one answer, which has a run and a quote of a document. */
export interface OracleConversation {
  id: string
  project: string
  author: string
  isShared: boolean
  message: string
  evidence: string
  document: string
  run: string
}

/** A run. A private one is visible to its creator only. */
interface OracleRun {
  project: string
  creator: string
  isPrivate: boolean
}

export interface OracleKey {
  id: string
  key: string
  user: string
  scopes: readonly string[]
  /** null: all projects of the user, and the documents without a project. */
  projects: readonly string[] | null
}

interface OracleProject {
  /** The roles by account, the longest membership first. */
  roles: Map<string, string>
  /** The account that is stored as the owner. Several members can have the role 'owner'. */
  owner: string
  tag: string
}

/** The expected state of projects, members and documents in plain code: the answers that the server must give. */
export class SharingOracle {
  readonly projects = new Map<string, OracleProject>()
  readonly documents = new Map<string, OracleDocument>()
  readonly conversations = new Map<string, OracleConversation>()
  /** By id, the oldest first. */
  readonly runs = new Map<string, OracleRun>()
  /** The project and the user of each saved search. */
  readonly searches = new Map<string, { project: string; user: string }>()
  readonly keys = new Map<string, OracleKey>()

  /** Returns whether an account has a right in a project; null if it is not a member. */
  right(who: string, project: string, right: string): boolean | null {
    const role = this.projects.get(project)?.roles.get(who)
    return role === undefined ? null : RIGHTS[role]!.split(' ').includes(right)
  }

  rightsIn = (who: string, project: string): string => RIGHTS[this.projects.get(project)!.roles.get(who)!]!

  rightInDocument(who: string, { project, creator }: OracleDocument, right: string): boolean | null {
    return project === null ? creator === who || null : this.right(who, project, right)
  }

  /** Returns the status of a call that needs a right: 404 for null (not a member), 200 for true, 403 for false. */
  status(allowed: boolean | null): number {
    return allowed === null ? 404 : allowed ? 200 : 403
  }

  projectsOf = (who: string) => [...this.projects.keys()].filter((id) => this.right(who, id, 'read'))
  documentsOf = (who: string, right: string, isDeleted: boolean) =>
    [...this.documents.values()].filter((one) => one.isDeleted === isDeleted && this.rightInDocument(who, one, right))

  /** Changes a role, or removes a member if `role` is null. Returns the expected status. */
  setRole(who: string, project: string, member: string, role: string | null): number {
    const known = this.projects.get(project)!
    const needed = role === null && who === member ? 'read' : 'manage'
    const status = this.status(this.right(who, project, needed))
    if (status !== 200) return status
    if (!known.roles.has(member)) return 404
    if (member === known.owner && role !== 'owner') {
      const heir = [...known.roles].find(([id, one]) => one === 'owner' && id !== member)
      if (!heir) return 409
      known.owner = heir[0]
    }
    if (role === null) known.roles.delete(member)
    if (role === null && who === member) this.deletePrivate(who, project)
    if (role !== null) known.roles.set(member, role)
    return 200
  }

  /** Transfers a project to a member. Returns the expected status. */
  transfer(who: string, project: string, member: string): number {
    const known = this.projects.get(project)!
    const status = this.status(this.right(who, project, 'manage'))
    if (status !== 200) return status
    if (!known.roles.has(member)) return 404
    known.roles.set(member, 'owner')
    known.owner = member
    return 200
  }

  /** Moves a document to a project, or to the caller's documents without one. Returns the expected status. */
  move(who: string, document: OracleDocument, to: string | null): number {
    const out = document.isDeleted ? 404 : this.status(this.rightInDocument(who, document, 'edit'))
    if (out !== 200) return out
    const into = to === null ? 200 : this.status(this.right(who, to, 'edit'))
    if (into !== 200) return into
    document.creator = to === null && document.project !== null ? who : document.creator
    document.project = to
    return 200
  }

  /** Moves all documents of a project. Returns the expected status. */
  moveAll(who: string, from: string, to: string | null): number {
    const refused = [from, to].map((id) => (id === null ? 200 : this.status(this.right(who, id, 'edit'))))
    const status = refused.find((one) => one !== 200)
    if (status !== undefined) return status
    for (const one of this.documents.values()) if (one.project === from) this.move(who, one, to)
    return 200
  }

  /** Deletes the private rows of a member who leaves. */
  private deletePrivate(who: string, project: string): void {
    for (const [id, one] of this.conversations)
      if (one.author === who && one.project === project && !one.isShared) this.conversations.delete(id)
    for (const [id, one] of this.searches) if (one.user === who && one.project === project) this.searches.delete(id)
  }

  seesConversation = (who: string, { project, author, isShared }: OracleConversation): boolean =>
    this.right(who, project, 'read') === true && (isShared || author === who)

  seesRun = (who: string, { project, creator, isPrivate }: OracleRun): boolean =>
    this.right(who, project, 'read') === true && (!isPrivate || creator === who)

  /**
   * Returns the status of a change of a conversation. Permitted are its author and, with `mayModerate`, the owners of the project
   * if it is shared.
   */
  statusOfChange(who: string, one: OracleConversation, mayModerate: boolean): number {
    if (!this.seesConversation(who, one)) return 404
    if (!this.right(who, one.project, 'ask')) return 403
    const isModerator = mayModerate && one.isShared && this.right(who, one.project, 'manage') === true
    return one.author === who || isModerator ? 200 : 403
  }

  /** Changes the visibility of a conversation and of its run. Returns the expected status. */
  show(who: string, one: OracleConversation, isShared: boolean): number {
    const status = this.statusOfChange(who, one, !isShared)
    if (status !== 200) return status
    one.isShared = isShared
    this.runs.get(one.run)!.isPrivate = !isShared
    return 200
  }

  /** Deletes a conversation. If an owner deletes it for its author, its run becomes private. Returns the expected status. */
  deleteConversation(who: string, one: OracleConversation): number {
    const status = this.statusOfChange(who, one, true)
    if (status !== 200) return status
    this.conversations.delete(one.id)
    if (one.author !== who) this.runs.get(one.run)!.isPrivate = true
    return 200
  }

  /** Returns whether a key can read rows of a project or, with null, documents without a project. */
  reaches = ({ projects }: OracleKey, project: string | null): boolean =>
    projects === null || (project !== null && projects.includes(project))
}
