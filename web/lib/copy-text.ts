import { messageOf } from './api.ts'
import { toast } from './toasts.tsx'

/** Copies a text to the clipboard and shows the result as a toast. Returns false if the browser does not allow it. */
export async function copyText(text: string, title: string): Promise<boolean> {
  try {
    // Undefined on pages without HTTPS.
    await navigator.clipboard.writeText(text)
    toast({ title })
    return true
  } catch (error) {
    toast({ title: 'Error copying', description: messageOf(error), destructive: true })
    return false
  }
}
