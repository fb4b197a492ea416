import { agricultureFood } from './agriculture-food.ts'
import { cultureSportYouth } from './culture-sport-youth.ts'
import { digitalConnectivity } from './digital-connectivity.ts'
import type { DomainSource } from './domain-source.ts'
import { education } from './education.ts'
import { employmentEconomy } from './employment-economy.ts'
import { energy } from './energy.ts'
import { environmentWaste } from './environment-waste.ts'
import { health } from './health.ts'
import { housingUrbanism } from './housing-urbanism.ts'
import { justiceRights } from './justice-rights.ts'
import { publicServices } from './public-services.ts'
import { security } from './security.ts'
import { transport } from './transport.ts'
import { waterSanitation } from './water-sanitation.ts'

/** The domains that a new platform begins with, in the order in which lists show them. */
export const shippedTaxonomy: readonly DomainSource[] = [
  health,
  education,
  transport,
  waterSanitation,
  energy,
  housingUrbanism,
  security,
  environmentWaste,
  employmentEconomy,
  publicServices,
  justiceRights,
  agricultureFood,
  digitalConnectivity,
  cultureSportYouth,
]
