/** Who asks and why: every call is recorded under it, and stops when `signal` fires. */
export interface AiContext {
  userId: string | null
  purpose: 'analysis' | 'answer' | 'embedding' | 'ocr'
  documentId?: string | null
  signal?: AbortSignal
}
