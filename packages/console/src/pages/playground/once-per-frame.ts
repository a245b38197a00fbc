/** Acts at most once per frame of the browser, however often it is asked; text arrives faster than anybody can look. */
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
