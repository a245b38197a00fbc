/** Runs the action at most once per browser frame, because text can arrive faster than that. */
export function oncePerFrame(act: () => void) {
  let frame: number | undefined
  return {
    ask(): void {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        act()
      })
    },
    cancel(): void {
      if (frame !== undefined) cancelAnimationFrame(frame)
      frame = undefined
    },
  }
}
