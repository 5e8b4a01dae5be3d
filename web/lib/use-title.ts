import { useEffect } from 'react'
import { useSite } from './site.ts'

/** Sets the title of the browser tab to the page title and the product name. */
export function useTitle(title: string | undefined): void {
  const product = useSite().product_name
  useEffect(() => {
    const words = [title, product].filter(Boolean)
    if (words.length > 0) document.title = words.join(' · ')
  }, [title, product])
}
