import { useLayoutEffect, useRef, type MouseEvent, type SyntheticEvent } from 'react'

/** Props of a <dialog> that is open for as long as it is rendered. Escape and a click outside close it, if `onClose` is given. */
export function useModal(onClose?: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return {
    ref,
    onCancel: (event: SyntheticEvent) => {
      event.preventDefault()
      onClose?.()
    },
    onMouseDown: (event: MouseEvent) => {
      if (event.target === ref.current) onClose?.()
    },
  }
}
