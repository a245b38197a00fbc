/** An object of the library with other methods in place of some. The rest are its own, and see nothing of the others. */
export function replacing<Owner extends object>(
  owner: Owner,
  methods: { readonly [Name in keyof Owner]?: unknown },
): Owner {
  return new Proxy(owner, {
    get(target, name) {
      if (name in methods) return Reflect.get(methods, name) as unknown
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
