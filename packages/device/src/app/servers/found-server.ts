import type { SeenServer } from '../../engines/openai-server/server/look-around.ts'
import { PRODUCT_TITLES } from '../../engines/openai-server/server/product.ts'
import type { FoundServer } from '../../news.ts'

export function toFound({ url, product, models }: SeenServer, isServed: boolean): FoundServer {
  return { url, product, title: PRODUCT_TITLES[product], models, isServed }
}
