import { useEffect } from 'react'
import { useSite } from './site.ts'

/** Names the browser tab: what is shown, then the product. */
export function useTitle(title: string | undefined): void {
  const product = useSite().product_name
  useEffect(() => {
    const words = [title, product].filter(Boolean)
    if (words.length > 0) document.title = words.join(' · ')
  }, [title, product])
}
