import { messageOf } from './api.ts'
import { toast } from './toasts.tsx'

/**
 * Copies a text to the clipboard and shows a toast: with `title` after a success, else with the error. Pass a promise if the
 * text must be fetched first: browsers permit copying only if it starts during the click. Returns false if the text cannot be
 * fetched or the browser refuses the copy.
 */
export async function copyText(text: string | Promise<string>, title: string): Promise<boolean> {
  try {
    requireClipboard()
    if (typeof text === 'string') await navigator.clipboard.writeText(text)
    else {
      const plain = text.then((value) => new Blob([value], { type: 'text/plain' }))
      await Promise.all([plain, navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })])])
    }
    toast({ title })
    return true
  } catch (error) {
    toast({ title: 'Error copying', description: messageOf(error), destructive: true })
    return false
  }
}

/** Throws if the page has no clipboard: on pages without HTTPS, `navigator.clipboard` and `ClipboardItem` are undefined. */
export function requireClipboard(): void {
  if (!isSecureContext)
    throw new Error('The browser allows this only on pages with HTTPS. You can select the text and copy it.')
}
