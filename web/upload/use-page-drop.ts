import { useEffect, useRef, useState } from 'react'

/**
 * Returns true while the user drags files over the page. `onFiles` is called with the dropped files. If `isAllowed` is false,
 * dropped files are ignored.
 */
export function usePageDrop(isAllowed: boolean, onFiles: (files: FileList) => void): boolean {
  const [over, setOver] = useState(false)
  const handler = useRef(onFiles)
  useEffect(() => {
    handler.current = onFiles
  }, [onFiles])
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files')
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (!isAllowed) return
      setOver(!(event.target instanceof Element && event.target.closest('[role=dialog]')))
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      if (isAllowed && event.dataTransfer?.files.length) handler.current(event.dataTransfer.files)
    }
    addEventListener('dragover', enter)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [isAllowed])
  return over
}
