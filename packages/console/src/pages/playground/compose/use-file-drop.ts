import { useRef, useState, type DragEvent } from 'react'

/** Lets people drop files on an element. `isOver` is true while they hold files over it. */
export function useFileDrop(onFiles: (files: Iterable<File>) => void) {
  const [isOver, setOver] = useState(false)
  // Entering a child leaves its parent, so only the count says whether the pointer is still inside.
  const depth = useRef(0)
  const step = (event: DragEvent, change: number) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = Math.max(0, depth.current + change)
    setOver(depth.current > 0)
  }
  const handlers = {
    onDragEnter: (event: DragEvent) => step(event, 1),
    onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
    onDragLeave: (event: DragEvent) => step(event, -1),
    onDrop: (event: DragEvent) => {
      step(event, -depth.current)
      if (hasFiles(event)) onFiles(event.dataTransfer.files)
    },
  }
  return { isOver, handlers }
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}
