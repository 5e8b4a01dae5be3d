import type { Conversation } from '#shared/contract/conversations.ts'

/** Returns the title of a conversation in lists. A conversation without a question has none. */
export const shownTitle = ({ title }: Pick<Conversation, 'title'>) => title || 'No question yet'
