import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/** A part of the console did not load. Browsers only say so in words of their own. */
export class PartNotLoaded extends Error {}

/** A part that loads when it is first shown. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      throw new PartNotLoaded('A part of this page did not load. Reload the page.', { cause })
    }
  })
}
