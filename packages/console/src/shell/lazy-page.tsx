// A page whose code loads after the first page. The router's own lazy pages reload the window when that fails, which loses what you typed and,
// while the gateway is away, the console itself.

import { useEffect, useState, type ComponentType } from 'react'
import { Skeleton } from '../parts/feedback/states.tsx'
import { NotLoaded } from './not-loaded.tsx'

export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let Loaded: ComponentType | undefined

  async function preload(): Promise<void> {
    // A failure shows when the page is opened: browsers remember it until the window is reloaded.
    await load().then(
      (module) => (Loaded = module[name]),
      () => {},
    )
  }

  function LazyPage() {
    const [hasTried, setTried] = useState(false)
    useEffect(() => {
      if (!Loaded) void preload().then(() => setTried(true))
    }, [])
    if (Loaded) return <Loaded />
    return hasTried ? <NotLoaded /> : <Skeleton />
  }

  LazyPage.preload = preload
  return LazyPage
}
