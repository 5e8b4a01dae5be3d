/**
 * The rights of each role, separated by spaces. The list does not use the code of the server, so that it does not repeat its
 * errors.
 */
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

/**
 * A conversation about the papers of a project. It has one answer `message`, which has a run and a quote of a document
 * (`evidence`).
 */
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

/** A run, which is the stored input and output of an answer. A private run is visible to its creator only. */
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
  /** The projects that the key can read. null: all projects of the user, and the user's documents without a project. */
  projects: readonly string[] | null
}

interface OracleProject {
  /** The role of each member by account id, in the order in which the members joined. */
  roles: Map<string, string>
  /** The account in the owner column of the project. Other members can also have the role 'owner'. */
  owner: string
  tag: string
}

/**
 * A simple model of the access rules. It stores the expected projects, members and objects, and computes the status that the
 * server must answer.
 */
export class SharingOracle {
  readonly projects = new Map<string, OracleProject>()
  readonly documents = new Map<string, OracleDocument>()
  readonly conversations = new Map<string, OracleConversation>()
  /** The runs by id, the oldest first. */
  readonly runs = new Map<string, OracleRun>()
  /** The project and the creator of each saved search, by search id. */
  readonly searches = new Map<string, { project: string; user: string }>()
  readonly keys = new Map<string, OracleKey>()

  /** Returns whether an account has a right in a project. Returns null if the account is not a member. */
  right(who: string, project: string, right: string): boolean | null {
    const role = this.projects.get(project)?.roles.get(who)
    return role === undefined ? null : RIGHTS[role]!.split(' ').includes(right)
  }

  rightsIn = (who: string, project: string): string => RIGHTS[this.projects.get(project)!.roles.get(who)!]!

  rightInDocument(who: string, { project, creator }: OracleDocument, right: string): boolean | null {
    return project === null ? creator === who || null : this.right(who, project, right)
  }

  /**
   * Returns the expected status of a call: 404 for null (the caller is not a member), 200 for true (permitted), 403 for false.
   */
  status(allowed: boolean | null): number {
    return allowed === null ? 404 : allowed ? 200 : 403
  }

  projectsOf = (who: string) => [...this.projects.keys()].filter((id) => this.right(who, id, 'read'))
  documentsOf = (who: string, right: string, isDeleted: boolean) =>
    [...this.documents.values()].filter((one) => one.isDeleted === isDeleted && this.rightInDocument(who, one, right))

  /** Lets `who` change the role of a member, or remove the member if `role` is null. Returns the expected status. */
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

  /** Lets `who` transfer the ownership of a project to a member. Returns the expected status. */
  transfer(who: string, project: string, member: string): number {
    const known = this.projects.get(project)!
    const status = this.status(this.right(who, project, 'manage'))
    if (status !== 200) return status
    if (!known.roles.has(member)) return 404
    known.roles.set(member, 'owner')
    known.owner = member
    return 200
  }

  /**
   * Lets `who` move a document to the project `to`; null: to the caller's documents without a project. Returns the expected
   * status.
   */
  move(who: string, document: OracleDocument, to: string | null): number {
    const out = document.isDeleted ? 404 : this.status(this.rightInDocument(who, document, 'edit'))
    if (out !== 200) return out
    const into = to === null ? 200 : this.status(this.right(who, to, 'edit'))
    if (into !== 200) return into
    document.creator = to === null && document.project !== null ? who : document.creator
    document.project = to
    return 200
  }

  /** Lets `who` move all documents of the project `from` to `to` (null: without a project). Returns the expected status. */
  moveAll(who: string, from: string, to: string | null): number {
    const refused = [from, to].map((id) => (id === null ? 200 : this.status(this.right(who, id, 'edit'))))
    const status = refused.find((one) => one !== 200)
    if (status !== undefined) return status
    for (const one of this.documents.values()) if (one.project === from) this.move(who, one, to)
    return 200
  }

  /** Deletes the private conversations and the saved searches of a member who leaves a project. */
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
   * Returns the expected status of a change of a conversation. Its author may change it. With `mayModerate`, an owner of the
   * project may also change a shared conversation.
   */
  statusOfChange(who: string, one: OracleConversation, mayModerate: boolean): number {
    if (!this.seesConversation(who, one)) return 404
    if (!this.right(who, one.project, 'ask')) return 403
    const isModerator = mayModerate && one.isShared && this.right(who, one.project, 'manage') === true
    return one.author === who || isModerator ? 200 : 403
  }

  /** Lets `who` share a conversation and its run with the project, or make both private. Returns the expected status. */
  show(who: string, one: OracleConversation, isShared: boolean): number {
    const status = this.statusOfChange(who, one, !isShared)
    if (status !== 200) return status
    one.isShared = isShared
    this.runs.get(one.run)!.isPrivate = !isShared
    return 200
  }

  /**
   * Lets `who` delete a conversation. If an owner deletes the conversation of another author, its run becomes private. Returns
   * the expected status.
   */
  deleteConversation(who: string, one: OracleConversation): number {
    const isOwn = one.author === who && this.seesConversation(who, one)
    const status = isOwn ? 200 : this.statusOfChange(who, one, true)
    if (status !== 200) return status
    this.conversations.delete(one.id)
    if (one.author !== who) this.runs.get(one.run)!.isPrivate = true
    return 200
  }

  /** Returns whether a key can read rows of a project or, with null, documents without a project. */
  reaches = ({ projects }: OracleKey, project: string | null): boolean =>
    projects === null || (project !== null && projects.includes(project))
}
