import { BrokenPdf, extractInBrowser, PasswordRequired } from '#web/extraction/index.ts'
import type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'

export type PageAnswer =
  | { result: ExtractedText; progress: number[]; longestTask: number }
  | { failed: string; message: string; wrong?: boolean }

declare global {
  interface Window {
    extract(url: string, password?: string): Promise<PageAnswer>
  }
}

/**
 * Extracts the text of a PDF in the browser with the code of the app. Also measures the longest task of the main thread in ms.
 */
window.extract = async (url, password) => {
  const progress: number[] = []
  let longestTask = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longestTask = Math.max(longestTask, entry.duration)
  })
  observer.observe({ type: 'longtask' })
  try {
    const result = await extractInBrowser({ url }, { password, onProgress: (page) => progress.push(page) })
    return { result, progress, longestTask }
  } catch (error) {
    if (error instanceof PasswordRequired) return { failed: error.name, message: error.message, wrong: error.wrong }
    if (error instanceof BrokenPdf) return { failed: error.name, message: error.message }
    throw error
  } finally {
    observer.disconnect()
  }
}
