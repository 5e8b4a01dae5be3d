/** The interface to all models: those of an OpenAI-compatible provider if one is configured, otherwise the built-in models. */
export { analyzeText, findAbstract, findVolume } from './analyze.ts'
export { detectLanguage } from './builtin/language.ts'
export { streamAnswer } from './answer.ts'
export {
  type DraftSentence,
  draftSentences,
  fitPassages,
  judgePairs,
  quoteLibrary,
  type Verdict,
} from './library-answer.ts'
export type { LibraryQuestion } from './library-question.ts'
export { LIBRARY_INSTRUCTIONS } from './library-prompt.ts'
export { paperInstructions } from './paper-prompt.ts'
export type { AiContext } from './context.ts'
export { fitsContext } from './context-window.ts'
export { embeddingModel, embedTexts, NO_VECTOR, prepareEmbeddings, warmEmbeddings } from './embed.ts'
export { isOfOneRequest } from './failure.ts'
export { type PlannedCall, setAiGate } from './gate.ts'
export { chooseModel, defaultModelNow, listModelsWithState, modelSettings } from './models.ts'
export { callCost, DEFAULT_PRICE, listPrice, type Price, priceNames } from './prices.ts'
export { FRONT_CHARACTERS, readPaperName } from './builtin/paper-name.ts'
export { hasProvider, hasVision } from './provider.ts'
export { planSearches, type SearchPlan } from './search-phrases.ts'
export { type AiCall, sumCalls } from './ai-call.ts'
export { setAiRecorder } from './record.ts'
export { readPageImage } from './vision.ts'
