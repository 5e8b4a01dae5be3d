/** Public functions of server/conversations: stored questions and answers about a project or one paper. */
export { answerProject } from './answer-project.ts'
export { moveAnswers, returnAnswers } from './move-answers.ts'
export { startAnswers, stopAnswers } from './upkeep.ts'
export { checkChat, storeChatTurn } from './chat-turn.ts'
export { stopConversationExports } from './export-conversation.ts'
export { hashTurns } from './read-turns.ts'
