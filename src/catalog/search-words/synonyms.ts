/**
 * Words for the same idea, one idea per line: English | German | Spanish | French, or English only. The first word of a language is its
 * usual one. A word can stand in several lines; a form can have several words. `~` marks a word that is only close to the idea, or that is
 * also an everyday word of another language.
 */
export const SYNONYMS = `
customer, client, ~buyer, ~shopper, ~consumer, ~patron | Kunde, Kunden, Kundin, Kundschaft, ~Käufer, ~Auftraggeber | cliente, ~comprador, ~consumidor | client, clientèle, ~acheteur, ~consommateur
prospect, ~lead, potential customer | Interessent, Interessenten, Neukunde | prospecto, cliente potencial | prospect, client potentiel
lead, ~prospect, ~inquiry | Lead, ~Anfrage | ~oportunidad | ~piste
guest, ~visitor | Gast, Gäste | huésped, invitado | invité, hôte
user, ~account holder, ~member | Benutzer, Nutzer, Anwender | usuario | utilisateur, usager
member, ~subscriber | Mitglied, Mitglieder | miembro, socio | membre, adhérent
visitor, ~guest | Besucher | visitante | visiteur
person, people, individual, human | Person, Personen, Mensch, Menschen | persona | personne
contact, ~correspondent | Kontakt, Ansprechpartner | contacto | contact
employee, staff, worker, personnel, workforce, ~colleague, ~associate | Mitarbeiter, Mitarbeiterin, Angestellter, Angestellte, Beschäftigte, Arbeitnehmer, Personal, Belegschaft | empleado, trabajador, personal, plantilla | employé, salarié, personnel, collaborateur, effectif
headcount, number of employees, ~workforce | Mitarbeiterzahl, Personalbestand, Kopfzahl | número de empleados, plantilla | effectif
manager, supervisor, boss, ~lead, ~head | Vorgesetzter, Leiter, Führungskraft, Chef | gerente, jefe, encargado, responsable | responsable, chef, gestionnaire, supérieur
department, division, ~unit, ~section | Abteilung, Abteilungen, Bereich | departamento, área, sección | département, service
team, ~crew, ~squad | Team, Mannschaft | equipo | équipe
company, firm, business, corporation, enterprise, ~organization | Firma, Unternehmen, Gesellschaft, Betrieb | empresa, compañía, sociedad | entreprise, société, compagnie
organization, organisation, ~institution | Organisation | organización | organisation
subsidiary, ~affiliate | Tochtergesellschaft, Tochterfirma | filial | filiale
branch, ~outlet, ~office | Filiale, Zweigstelle, Niederlassung | sucursal, filial | succursale, agence
office, ~bureau | Büro, Geschäftsstelle | oficina | bureau
store, shop, outlet, ~retailer | Laden, Geschäft, Filiale, Shop | tienda | magasin, boutique
supplier, vendor, provider, ~seller | Lieferant, Lieferanten, Zulieferer, Kreditor, Anbieter | proveedor, suministrador | fournisseur, prestataire
seller, vendor, ~merchant | Verkäufer, Händler | vendedor | vendeur
merchant, retailer, trader, dealer, ~reseller | Händler, Kaufmann | comerciante, minorista | marchand, commerçant, détaillant
partner, ~affiliate | Partner | socio, aliado | partenaire
distributor, wholesaler, ~reseller | Großhändler, Distributor | distribuidor, mayorista | distributeur, grossiste
competitor, rival | Wettbewerber, Konkurrent, Mitbewerber | competidor | concurrent
manufacturer, maker, producer | Hersteller, Produzent | fabricante | fabricant, producteur
brand, ~label, ~make | Marke, Marken | marca | marque
order, purchase, ~booking, ~requisition, ~checkout | Bestellung, Bestellungen, Auftrag, Aufträge | pedido, orden, compra | commande, ordre
purchase, buy, ~order, ~acquisition, ~procurement | Einkauf, Kauf, Käufe, Beschaffung | compra, adquisición | achat, acquisition
purchasing, procurement, sourcing, buying | Einkauf, Beschaffung | compras, aprovisionamiento | achats, approvisionnement
checkout, ~payment, ~purchase | Kasse, Kassiervorgang | caja | caisse, paiement
cart, basket, shopping cart, shopping basket | Warenkorb, Einkaufswagen | carrito, cesta | panier
wishlist, ~favourites | Wunschliste, Merkliste | lista de deseos | liste de souhaits
sale, sales, ~selling, ~deal | Verkauf, Verkäufe, Vertrieb, Absatz | venta, ventas | vente, ventes
revenue, sales, turnover, ~income, ~earnings, ~proceeds | Umsatz, Umsätze, Erlös, Erlöse, ~Einnahmen | ingresos, facturación, ventas | revenu, chiffre d'affaires, recettes
income, earnings, ~revenue | Einkommen, Einkünfte, Einnahmen | ingreso, renta | revenu, recette
profit, earnings, ~margin, ~gain, ~net income | Gewinn, Profit, Ertrag | beneficio, ganancia, utilidad | bénéfice, profit, gain
loss, losses | Verlust, Verluste | pérdida | perte
margin, markup, ~profit | Marge, Spanne, Deckungsbeitrag | margen | marge
cost, expense, spend, ~expenditure, ~charge | Kosten, Aufwand, ~Ausgaben | coste, costo, gasto | coût, frais, ~dépense
expense, expenditure, spending, spend, outlay, cost | Ausgabe, Ausgaben, Aufwand, Spesen | gasto, egreso, desembolso | dépense, frais, charge
budget, ~allocation, ~plan | Budget, Etat, Haushalt | presupuesto | budget
forecast, prediction, projection, ~outlook, ~estimate | Prognose, Vorhersage, Planung | pronóstico, previsión, proyección | prévision, projection
estimate, ~approximation, ~forecast | Schätzung, Schätzwert | estimación | estimation
plan, ~schedule | Plan, Planung | plan | plan, planification
target, goal, objective, ~quota | Ziel, Zielwert, Soll | objetivo, meta | objectif, cible
price, ~rate, ~tariff, ~cost | Preis, Preise, Tarif | precio, tarifa | prix, tarif
pricing, ~price list, ~tariff | Preisgestaltung, Preisliste | tarificación, lista de precios | tarification
fee, charge, ~commission | Gebühr, Gebühren, Entgelt | tarifa, cargo, cuota, tasa | frais, redevance
discount, rebate, reduction, markdown, ~deduction, ~allowance | Rabatt, Nachlass, Skonto, Ermäßigung | descuento, rebaja | remise, rabais, réduction, escompte
promotion, ~offer, ~deal, ~special offer | Aktion, Werbeaktion, Sonderangebot | promoción, oferta | promotion, offre
coupon, voucher, promo code, ~gift card | Gutschein, Rabattcode | cupón, vale | coupon, bon de réduction
gift card, gift certificate, ~voucher | Geschenkkarte, Geschenkgutschein | tarjeta regalo | carte cadeau
loyalty, ~rewards, ~bonus | Treue, Kundenbindung, Treueprogramm | fidelidad, fidelización | fidélité
tax, duty, levy, ~vat | Steuer, Steuern, Abgabe | impuesto, tributo | impôt, taxe
vat, value added tax, sales tax, ~gst | Mehrwertsteuer, Umsatzsteuer, MwSt, USt | IVA | TVA
invoice, bill, ~statement | Rechnung, Rechnungen, Faktura | factura | facture
billing, invoicing | Abrechnung, Fakturierung, Rechnungsstellung | facturación | facturation
credit note, credit memo | Gutschrift | nota de crédito, abono | avoir, note de crédit
receipt, ~proof of purchase, ~slip | Beleg, Quittung, Bon, Kassenzettel | recibo, comprobante, ticket | reçu, ticket de caisse
payment, ~settlement, ~remittance, ~transaction | Zahlung, Zahlungen, Bezahlung, ~Überweisung | pago | paiement, règlement, versement
payout, disbursement, ~withdrawal | Auszahlung | desembolso | décaissement, versement
transfer, ~remittance, ~move | Überweisung, Übertragung, Transfer | transferencia, traspaso | virement, transfert
refund, reimbursement, repayment, ~chargeback | Erstattung, Rückerstattung, Rückzahlung | reembolso, devolución | remboursement
return, returns, returned goods, rma, ~reversal | Retoure, Retouren, Rückgabe, Rücksendung | devolución | retour
chargeback, ~dispute | Rückbuchung, Rücklastschrift | contracargo | rétrofacturation
dispute, ~complaint, ~chargeback | Streitfall | disputa | litige
cancellation, ~termination, ~abort | Stornierung, Storno, Absage, ~Kündigung | cancelación, anulación | annulation, ~résiliation
transaction, ~operation, ~transfer, ~posting, ~booking | Transaktion, Buchung, Vorgang | transacción, movimiento, operación | transaction, opération, mouvement
account, ~ledger | Konto, Konten | cuenta | compte
balance, ~remainder | Saldo, Kontostand, Guthaben | saldo | solde
debt, ~liability, ~obligation, ~arrears | Schuld, Schulden, Verbindlichkeit | deuda, obligación | dette
receivable, receivables, accounts receivable, debtors, ~outstanding | Forderung, Forderungen, Debitoren | cuentas por cobrar, deudores | créance, créances, débiteurs
payable, payables, accounts payable, creditors | Verbindlichkeiten, Kreditoren | cuentas por pagar, acreedores | dettes fournisseurs, créditeurs
overdue, past due, late, delinquent, ~arrears | überfällig, Rückstand, Verzug | vencido, moroso, atrasado | en retard, échu, impayé
dunning, ~collection, ~reminder | Mahnung, Mahnwesen, Inkasso | cobranza, reclamación | recouvrement, relance
ledger, general ledger, ~journal, ~books | Hauptbuch, Kontobuch | libro mayor | grand livre
journal, journal entry, ~posting | Journal, Buchungssatz | diario, asiento | journal, écriture
accounting, bookkeeping | Buchhaltung, Rechnungswesen, Buchführung | contabilidad | comptabilité
finance, ~treasury, ~financial | Finanzen, Finanzwesen | finanzas | finances, finance
cash, ~money, ~liquidity | Bargeld, Kasse | efectivo | espèces, trésorerie
money, ~funds, ~currency | Geld | dinero | argent
currency, ~money | Währung, Währungen, Devisen | moneda, divisa | devise, monnaie
exchange rate, fx rate, currency rate, conversion rate | Wechselkurs, Umrechnungskurs | tipo de cambio | taux de change
amount, sum, ~total, ~value | Betrag, Beträge, Summe | importe, monto, suma | montant, somme
total, sum, ~overall, ~aggregate | Gesamt, Summe, Gesamtbetrag | total, suma | total, somme
quantity, count, amount, ~volume, ~number, units | Menge, Mengen, Anzahl, Stückzahl | cantidad, número | quantité, nombre
number, ~count, ~code, ~identifier | Nummer, Zahl, Anzahl | número | numéro, nombre
value, ~worth, ~amount | Wert, Werte | valor | valeur
average, mean | Durchschnitt, Mittelwert, Mittel | promedio, media | moyenne
minimum, lowest, smallest | Minimum, Mindestwert | mínimo | minimum
maximum, highest, largest, ~peak | Maximum, Höchstwert | máximo | maximum
percentage, percent, share, ~ratio, ~proportion, ~rate | Prozent, Prozentsatz, Anteil, ~Quote | porcentaje, ~proporción | pourcentage, ~part
ratio, proportion, ~rate, ~quotient | Verhältnis, Quote | proporción, ratio, razón | ratio, rapport
rate, ~ratio, ~frequency | Rate, Quote, Satz | tasa | taux
growth, increase, ~rise | Wachstum, Zunahme, Steigerung | crecimiento, aumento | croissance, augmentation
decrease, decline, drop, reduction | Rückgang, Abnahme | disminución, descenso | baisse, diminution
bonus, ~incentive, ~reward, ~premium | Bonus, Prämie | bono, bonificación, prima | ~prime, bonus
commission, ~fee | Provision, Kommission | comisión | commission
salary, wage, pay, wages, compensation, remuneration | Gehalt, Gehälter, Lohn, Löhne, Vergütung, Entgelt | salario, sueldo, nómina, remuneración | salaire, rémunération, paie
payroll, ~salary, ~wages | Lohnabrechnung, Gehaltsabrechnung, Lohnbuchhaltung | nómina | paie
hiring, recruiting, recruitment, ~onboarding | Einstellung, Personalbeschaffung, Recruiting | contratación, reclutamiento | recrutement, embauche
candidate, applicant, ~job seeker | Bewerber, Bewerberin, Kandidat | candidato, aspirante, solicitante | candidat, postulant
job, position, vacancy, ~role, ~occupation, ~post | Stelle, Arbeitsplatz, Beruf, Stellenanzeige | puesto, empleo, trabajo, vacante | poste, emploi, métier
role, ~function, ~position | Rolle, Funktion | rol, función | rôle, fonction
absence, leave, time off, vacation, holiday, pto, ~sick leave | Abwesenheit, Urlaub, Fehlzeit, Krankenstand | ausencia, vacaciones, permiso, baja | absence, congé, vacances
holiday, public holiday, ~vacation | Feiertag, Feiertage | festivo, feriado | jour férié
attendance, presence, ~timesheet, ~check in | Anwesenheit, Zeiterfassung | asistencia | présence, pointage
timesheet, working hours, time tracking, ~attendance | Stundenzettel, Arbeitszeit, Zeiterfassung | hoja de horas, horas trabajadas | feuille de temps, heures travaillées
shift, ~roster, ~rota | Schicht, Schichten, Dienstplan | turno | équipe, poste, roulement
training, ~course, ~education, ~learning | Schulung, Ausbildung, Weiterbildung | formación, capacitación | formation
course, class, ~lesson, ~module | Kurs, Kurse, Lehrgang | curso, clase | cours
student, pupil, learner, ~trainee | Schüler, Student, Studierende, Lernende | alumno, estudiante | élève, étudiant
teacher, instructor, ~tutor, ~lecturer | Lehrer, Lehrkraft, Dozent | profesor, maestro, docente | enseignant, professeur, formateur
school, ~college | Schule, Schulen | escuela, colegio | école
university, college | Universität, Hochschule | universidad | université
exam, test, assessment, ~quiz | Prüfung, Klausur | examen, prueba | examen, épreuve
grade, mark, ~score | ~Note, Noten, Zensur | calificación, nota | ~note
skill, competence, ability | Fähigkeit, Kompetenz, Qualifikation | habilidad, competencia | compétence
resignation, ~termination, ~leaver | Kündigung, Austritt | renuncia, dimisión | démission
termination, ~dismissal, ~cancellation, ~expiry | Kündigung, Beendigung, Entlassung | terminación, despido, ~baja | résiliation, licenciement
churn, attrition, ~cancellation, ~defection, ~retention | Abwanderung, Kundenabwanderung, Kündigerquote, Fluktuation | abandono, pérdida de clientes, rotación | attrition, désabonnement
retention, ~loyalty, ~churn | Kundenbindung, Bindung | retención | rétention, fidélisation
turnover, attrition, staff turnover, fluctuation | Fluktuation | rotación | rotation
signup, sign up, registration, enrollment, enrolment, ~onboarding, ~subscription | Anmeldung, Registrierung, Einschreibung | registro, inscripción, alta | inscription, enregistrement
login, sign in, signin, logon, log in, ~authentication | Anmeldung, Login | inicio de sesión, acceso | connexion
logout, sign out, log out | Abmeldung | cierre de sesión | déconnexion
authentication, ~login, ~verification | Authentifizierung | autenticación | authentification
permission, authorization, privilege, ~access right, ~grant | Berechtigung, ~Recht, Zugriffsrecht | permiso, autorización | autorisation, droit
access, ~entry | Zugriff, Zugang | acceso | accès
password, passcode, ~credential | Passwort, Kennwort | contraseña, clave | mot de passe
consent, opt in, ~agreement, ~permission | Einwilligung, Zustimmung | consentimiento | consentement
privacy, data protection, gdpr | Datenschutz, DSGVO | privacidad, protección de datos, RGPD | confidentialité, protection des données, RGPD
subscription, ~membership, ~plan, ~recurring | Abonnement, Abo, Abos | suscripción, abono | abonnement
subscriber, ~member | Abonnent, Abonnenten | suscriptor, abonado | abonné
unsubscribe, opt out | Abmeldung, Abbestellung | baja, cancelar suscripción | désabonnement, désinscription
renewal, extension, ~prolongation | Verlängerung, Erneuerung | renovación | renouvellement
trial, free trial, ~pilot | Testphase, Probezeit | prueba, período de prueba | essai, période d'essai
contract, agreement, ~deal | Vertrag, Verträge, Vereinbarung | contrato, acuerdo | contrat, accord
license, licence, ~permit | Lizenz, Genehmigung | licencia | licence, permis
quote, quotation, offer, ~proposal, ~estimate, ~bid | Angebot, Angebote, Kostenvoranschlag, Offerte | cotización, oferta, presupuesto | devis, offre
bid, tender, ~offer | Gebot, Ausschreibung | licitación, oferta, puja | appel d'offres, enchère
opportunity, deal, ~pipeline, ~lead | Verkaufschance, Gelegenheit | oportunidad | opportunité, affaire
pipeline, ~funnel | Vertriebspipeline, Pipeline | embudo | pipeline
funnel, ~conversion, ~journey | Trichter, Verkaufstrichter | embudo | entonnoir, tunnel
item, product, article, sku, ~good, ~line | Artikel, Produkt, Position | artículo, producto | article, produit
product, item, article, merchandise, goods, ~commodity, ~sku | Produkt, Produkte, Artikel, Ware, Waren, Erzeugnis | producto, artículo, mercancía | produit, article, marchandise
line item, order line, position, ~detail | Position, Bestellposition, Auftragsposition | línea de pedido, partida | ligne de commande
component, part, ~piece, ~module | Komponente, Bauteil, Teil, Teile | componente, pieza, parte | composant, pièce
material, raw material, ~substance | Material, Werkstoff, Rohstoff | material, materia prima | matériel, matière, matière première
spare part, replacement part | Ersatzteil, Ersatzteile | repuesto, recambio | pièce de rechange, pièce détachée
assortment, range, product range, ~catalog | Sortiment | surtido, gama | assortiment, gamme
catalog, catalogue, directory, ~listing | Katalog, Verzeichnis | catálogo | catalogue
category, class, type, ~group, ~classification, ~kind | Kategorie, Kategorien, Warengruppe, Klasse | categoría, clase | catégorie, classe
type, kind, ~category, ~class, ~sort | Typ, ~Art, Sorte | tipo | type, genre
variant, version, ~option, ~model | Variante, Ausführung | variante | variante, déclinaison
model, ~variant | Modell, Modelle | modelo | modèle
property, attribute, feature, characteristic, ~trait | Eigenschaft, Merkmal, Attribut | propiedad, atributo, característica | propriété, attribut, caractéristique
feature, functionality, ~capability | Funktion, Merkmal | funcionalidad, característica | fonctionnalité
size, ~dimension, ~magnitude | Größe, Größen | tamaño, talla | taille
color, colour | Farbe, Farben | color | couleur
weight, mass, ~load | Gewicht | peso | poids
length, ~distance, ~duration | Länge | longitud, largo | longueur
width, breadth | Breite | ancho, anchura | largeur
height, ~altitude | Höhe | altura, alto | hauteur
volume, ~capacity, ~quantity | Volumen | volumen | volume
distance, ~length, ~mileage | Entfernung, Distanz, Strecke | distancia | distance
area, ~surface, ~region | Fläche, Bereich | área, superficie | surface, aire
unit, unit of measure, ~uom | Einheit, Maßeinheit | unidad | unité
inventory, stock, stock level, stock on hand, ~supply, ~holdings | Bestand, Bestände, Lagerbestand, Inventar, Vorrat | inventario, existencias, stock | stock, inventaire
stockout, out of stock, ~shortage | Fehlbestand, ausverkauft | rotura de stock, agotado, desabastecimiento | rupture de stock
shortage, scarcity, ~deficit | Mangel, Engpass | escasez, falta | pénurie, manque
replenishment, restock, reorder, ~refill | Nachschub, Nachbestellung, Auffüllung | reposición, reabastecimiento | réapprovisionnement
stocktaking, cycle count, inventory count, physical inventory | Inventur | recuento de inventario | inventaire physique
warehouse, depot, storehouse, distribution center, fulfillment center, ~storage | Lager, Lagerhaus, Depot, Warenlager | almacén, bodega, depósito | entrepôt, dépôt, magasin
storage, ~bin, ~warehouse | Lagerung, Speicher | almacenamiento | stockage
shelf, bin, rack, ~slot | Regal, Lagerplatz, Fach | estante, ubicación | étagère, rayon, emplacement
shipment, delivery, consignment, dispatch, shipping, ~parcel | Sendung, Sendungen, Lieferung, Lieferungen, Versand | envío, entrega, despacho, remesa | expédition, livraison, envoi
delivery, shipment, ~fulfillment, ~drop off | Lieferung, Zustellung, Auslieferung | entrega, reparto | livraison
shipping, freight, dispatch, ~postage, ~transport | Versand, Fracht | envío, flete | expédition, fret, ~port
parcel, package, packet, ~box, ~shipment | Paket, Pakete | paquete, bulto | colis, paquet
packaging, packing, ~wrapping | Verpackung | embalaje, empaque | emballage
carrier, courier, shipper, ~haulier, ~forwarder, ~transporter | Spediteur, Spedition, Frachtführer, Zusteller | transportista, mensajería | transporteur, coursier
freight, cargo, ~load | Fracht, Ladung | flete, carga | fret, cargaison
transport, transportation, haulage, ~logistics | Transport, Beförderung | transporte | transport
logistics, ~supply chain | Logistik | logística | logistique
supply chain, ~logistics | Lieferkette, Lieferketten | cadena de suministro | chaîne d'approvisionnement, chaîne logistique
tracking, ~trace, ~monitoring | Sendungsverfolgung, Verfolgung | seguimiento, rastreo | suivi
route, ~path, ~itinerary, ~trip | Route, Strecke, Tour | ruta, recorrido | itinéraire, trajet
trip, journey, ride, ~travel, ~tour | Fahrt, Fahrten, Reise | viaje, trayecto | trajet, voyage, course
travel, ~trip | Reise, Reisen | viaje | voyage
customs, ~import duty, ~border | Zoll | aduana | douane
import, ~inbound | Einfuhr, Import | importación | importation
export, ~outbound | Ausfuhr, Export | exportación | exportation
goods receipt, inbound delivery, ~receiving | Wareneingang | entrada de mercancías, recepción | réception de marchandises
lead time, delivery time, ~turnaround time | Lieferzeit, Vorlaufzeit | plazo de entrega | délai de livraison
delay, lateness, ~lag, ~late | Verspätung, Verzögerung | retraso, demora | retard
vehicle, car, ~truck, ~automobile, ~fleet | Fahrzeug, Fahrzeuge, Auto, Wagen, Kfz | vehículo, coche, automóvil, carro | véhicule, voiture
truck, lorry | Lastwagen, Lkw | camión | camion
driver, ~chauffeur | Fahrer | conductor, chofer | conducteur, chauffeur
fleet, ~vehicles | Fuhrpark, Flotte | flota | flotte
flight, ~air travel | Flug, Flüge | vuelo | ~vol
airport, airfield | Flughafen, Flughäfen | aeropuerto | aéroport
airline, ~carrier | Fluggesellschaft | aerolínea, línea aérea | compagnie aérienne
passenger, traveller, traveler, ~rider | Passagier, Fahrgast, Reisender | pasajero, viajero | passager, voyageur
ticket, ~fare | Fahrkarte, Fahrschein, Ticket | billete, boleto, entrada | billet
fare, ~ticket price | Fahrpreis | tarifa | tarif
hotel, ~lodging, ~accommodation | Hotel, Unterkunft | hotel, alojamiento | hôtel, hébergement
room, ~suite | Zimmer, Raum | habitación, sala, cuarto | chambre, salle, pièce
reservation, booking, ~appointment | Reservierung, Reservierungen, Buchung, Buchungen | reserva, reservación | réservation
appointment, meeting, ~booking | Termin, Termine | cita, turno | rendez-vous
production, manufacturing, ~output, ~fabrication | Produktion, Fertigung, Herstellung | producción, fabricación | production, fabrication
plant, factory, ~site, ~works | Werk, Fabrik, Anlage | planta, fábrica | usine
machine, equipment, ~device, ~tool | Maschine, Maschinen, Anlage | máquina, equipo | machine, équipement
device, ~appliance, ~gadget, ~terminal | Gerät, Geräte | dispositivo, aparato | appareil, dispositif
sensor, ~detector, ~probe | Sensor, Messfühler | sensor | capteur
measurement, reading, metering, ~measure | Messung, Messwert, Messwerte | medición, lectura | mesure, relevé
meter, ~gauge | Zähler, Messgerät | medidor, contador | compteur
maintenance, servicing, upkeep, ~repair | Wartung, Instandhaltung | mantenimiento | maintenance, entretien
repair, ~fix | Reparatur, Reparaturen | reparación | réparation
failure, fault, breakdown, outage, ~malfunction, ~defect | Ausfall, Störung, Fehler | fallo, avería, falla | panne, défaillance, défaut
outage, downtime, ~failure | Ausfall, Ausfallzeit | caída, tiempo de inactividad | panne, temps d'arrêt, indisponibilité
defect, flaw, fault, ~bug | Mangel, Defekt, Fehler | defecto | défaut
error, mistake, failure, ~bug, ~exception, ~fault | Fehler | error, fallo | erreur
quality, ~grade | Qualität | calidad | qualité
inspection, check, audit, ~examination | Inspektion, Kontrolle, Prüfung | inspección, control, revisión | inspection, contrôle
audit, ~review, ~inspection | Prüfung, Revision, Audit | auditoría | audit
scrap, waste, ~reject | Ausschuss, Abfall, Schrott | desecho, merma, residuo | rebut, déchet
yield, ~output | Ausbeute, Ertrag | rendimiento | rendement
capacity, ~throughput, ~utilization | Kapazität, Auslastung | capacidad | capacité
utilization, utilisation, usage, occupancy, ~load | Auslastung, Nutzung | utilización, ocupación | utilisation, taux d'occupation
usage, use, consumption, ~utilization | Nutzung, Verwendung, Gebrauch | uso, utilización | utilisation, usage
consumption, usage, ~demand | Verbrauch | consumo | consommation
demand, ~need, ~requirement | Nachfrage, Bedarf | demanda | demande
supply, ~provision | Angebot, Versorgung | oferta, suministro | offre, approvisionnement
energy, power, electricity | Energie, Strom | energía, electricidad | énergie, électricité
fuel, ~gasoline, ~petrol, ~diesel | Kraftstoff, Treibstoff, Benzin | combustible, gasolina | carburant, essence
water | Wasser | agua | eau
emission, emissions, co2, carbon, ~carbon footprint, ~pollution | Emission, Emissionen, Ausstoß | emisión, emisiones, huella de carbono | émission, émissions, empreinte carbone
weather, ~climate | Wetter | clima, tiempo | météo
temperature | Temperatur | temperatura | température
price list, ~pricing | Preisliste | lista de precios | liste de prix
address, ~location, ~residence | Adresse, Adressen, Anschrift | dirección, domicilio | adresse
street, road, ~avenue | Straße, Straßen | calle, vía | rue
city, town, municipality, ~place | Stadt, Städte, Ort, Gemeinde | ciudad, población, municipio, localidad | ville, commune
country, nation, ~land | ~Land, Länder, Staat | país | ~pays
state, province, ~region | Bundesland, Staat | estado, provincia | état, province
region, territory, area, ~zone | Region, Gebiet, Bezirk | región, zona, territorio | région, territoire, zone
district, county, ~borough | Bezirk, Kreis, Landkreis | distrito, comarca | arrondissement, canton
location, place, site, ~position | Standort, Ort, Lage | ubicación, lugar, sitio, localización | emplacement, lieu, site
zip, zip code, zipcode, postal code, postcode, postalcode | Postleitzahl, PLZ | código postal | code postal
phone, telephone, phone number, ~mobile | Telefon, Telefonnummer, Rufnummer | teléfono, número de teléfono | téléphone, numéro de téléphone
mobile, cell phone, mobile phone, cellular, ~smartphone | Handy, Mobiltelefon, Mobilfunk | móvil, celular | portable, mobile
email, e mail, mail, email address | E-Mail, Mailadresse | correo electrónico, correo, email | courriel, e-mail, adresse électronique
letter, ~mail, ~post | ~Brief, Schreiben | carta | lettre, courrier
name, title, ~label | Name, Bezeichnung | nombre | nom
first name, given name, forename, christian name | Vorname | nombre, nombre de pila | prénom
last name, surname, family name | Nachname, Familienname | apellido | nom de famille
description, ~text, ~definition, ~details | Beschreibung, Bezeichnung | descripción | description, libellé
comment, remark, note, annotation, ~feedback | Kommentar, Bemerkung, Anmerkung, Notiz | comentario, observación, nota | commentaire, remarque, ~note
gender, sex | Geschlecht | género, sexo | genre, sexe
age, ~years | ~Alter | edad | âge
birthday, date of birth, birthdate, birth date, dob | Geburtstag, Geburtsdatum | fecha de nacimiento, cumpleaños | date de naissance, anniversaire
marital status, civil status | Familienstand | estado civil | état civil, situation familiale
nationality, citizenship | Nationalität, Staatsangehörigkeit | nacionalidad | nationalité
language, ~locale | Sprache, Sprachen | idioma, lengua | langue
family, household, ~relatives | Familie, Haushalt | familia, hogar | famille, ménage, foyer
child, children, kid, ~minor | ~Kind, Kinder | niño, hijo, hijos | enfant
parent, ~guardian | Eltern, Elternteil | padre, padres | parent
house, home, ~dwelling, ~building | Haus, Häuser | casa, vivienda | maison, logement
building, ~property, ~premises | Gebäude | edificio | bâtiment, immeuble
apartment, flat, ~dwelling | Wohnung, Wohnungen | apartamento, piso, departamento | appartement
real estate, ~property, ~realty | Immobilie, Immobilien | inmueble, bienes raíces, inmobiliario | immobilier, bien immobilier
rent, lease, rental, ~hire | Miete, Mieten, Pacht | alquiler, renta, arrendamiento | loyer, location, bail
tenant, lessee, renter, ~occupant | Mieter | inquilino, arrendatario | locataire
landlord, lessor, ~owner | Vermieter | arrendador, propietario | bailleur, propriétaire
owner, proprietor, ~holder | Eigentümer, Besitzer, Inhaber | propietario, dueño, titular | propriétaire, titulaire
insurance, ~coverage, ~assurance | Versicherung | seguro | assurance
policy, insurance policy, ~contract | Police, Versicherungsschein | póliza | police
policyholder, insured, ~policy owner | Versicherungsnehmer, Versicherter | asegurado, tomador | assuré, souscripteur
premium, ~insurance fee | Prämie, Beitrag | prima | ~prime, cotisation
claim, ~loss, ~damage | Schaden, Schäden, Schadenfall, Anspruch | siniestro, reclamación | sinistre, réclamation
damage, harm, ~loss | Schaden, Beschädigung | daño | dommage, dégât
risk, ~hazard, ~exposure | Risiko, Risiken | riesgo | risque
fraud, scam, ~abuse, ~suspicious | Betrug | fraude | fraude
bank, ~financial institution | Bank, Banken, Geldinstitut | banco | banque
loan, credit, ~mortgage, ~lending | Kredit, Kredite, Darlehen | préstamo, crédito | prêt, crédit, emprunt
mortgage, home loan, ~loan | Hypothek, Baufinanzierung | hipoteca | hypothèque, prêt immobilier
interest, interest rate, ~yield | Zins, Zinsen, Zinssatz | interés, tasa de interés | intérêt, taux d'intérêt
installment, instalment, ~repayment | Rate, Teilzahlung | cuota, plazo | échéance, mensualité
deposit, ~down payment, ~prepayment | Einzahlung, Anzahlung, Kaution | depósito, anticipo, fianza | dépôt, acompte, caution
withdrawal, ~cash out | Abhebung, Auszahlung | retiro, retirada | retrait
investment, ~holding, ~asset | Investition, Anlage, Investitionen | inversión | investissement, placement
investor, ~shareholder | Investor, Anleger | inversor, inversionista | investisseur
share, stock, equity, ~security | Aktie, Aktien | acción, acciones | action, actions
shareholder, stockholder | Aktionär, Gesellschafter | accionista | actionnaire
bond, ~debenture | Anleihe, Anleihen | bono | obligation
security, securities, instrument, financial instrument | Wertpapier, Wertpapiere | valor, título | titre, valeur mobilière
trade, ~deal, ~trading | Handel, Handelsgeschäft | comercio, operación | négoce, commerce, échange
portfolio, holdings, ~positions | Portfolio, Depot, Bestand | cartera | portefeuille
asset, ~equipment, ~property | Anlage, Anlagegut, Vermögen, Vermögenswert | activo, bien | actif, immobilisation, bien
depreciation, amortization, write off | Abschreibung, Abschreibungen | depreciación, amortización | amortissement, dépréciation
liability, debt, obligation | Verbindlichkeit, Haftung | pasivo, obligación | passif, responsabilité
equity, capital, ~net worth | Eigenkapital, Kapital | capital, patrimonio | capital, fonds propres
marketing, advertising, ~promotion | Marketing, Werbung | marketing, mercadotecnia, publicidad | marketing, publicité, mercatique
campaign, ~promotion, ~initiative | Kampagne, Kampagnen, Aktion | campaña | campagne
advertisement, ad, advert, ads, ~creative | Anzeige, Anzeigen, Werbung | anuncio, publicidad | annonce, publicité
newsletter, mailing, ~email campaign | Newsletter, Rundschreiben, Mailing | boletín | infolettre, bulletin
audience, target group, ~segment | Zielgruppe, Publikum | audiencia, público | audience, public
segment, cohort, ~group, ~cluster | Segment, Kohorte, Kundengruppe | segmento, cohorte | segment, cohorte
channel, ~medium | Kanal, Kanäle, Vertriebsweg | canal | canal
source, origin, ~provenance | Quelle, Herkunft | fuente, origen | source, origine, provenance
website, web site, site, web page, ~homepage | Webseite, Website, Internetseite | sitio web, página web | site web, site internet
page view, pageview, ~hit, ~page visit | Seitenaufruf, Seitenaufrufe, Seitenansicht | página vista, vista de página | page vue, vue
visit, session, ~traffic | Besuch, Besuche, Sitzung | visita, sesión | visite, session
click, ~tap, ~hit | Klick, Klicks | clic | clic
impression, view, ~display | Einblendung, Impression | impresión | impression, affichage
conversion, ~goal completion | Konversion, Umwandlung | conversión | conversion
traffic, ~visits, ~load | Verkehr, Datenverkehr, Besucherzahlen | tráfico | trafic
bounce, ~exit | Absprung, Absprungrate | rebote | rebond
event, ~occurrence, ~happening, ~action | Ereignis, Ereignisse, Veranstaltung | evento, suceso | événement
activity, action, ~behavior | Aktivität, Aktivitäten, Tätigkeit | actividad | activité
behavior, behaviour, ~conduct, ~usage | Verhalten | comportamiento, conducta | comportement
engagement, ~interaction, ~involvement | Beteiligung, Interaktion | compromiso, interacción | engagement, interaction
survey, questionnaire, poll, ~feedback | Umfrage, Befragung, Fragebogen | encuesta, cuestionario, sondeo | enquête, sondage, questionnaire
question, query | Frage, Fragen | pregunta | question
answer, response, reply | Antwort, Antworten | respuesta | réponse
feedback, opinion, ~comment, ~review | Rückmeldung, Feedback | opinión, retroalimentación | avis, retour
review, rating, ~evaluation, ~feedback | Bewertung, Bewertungen, Rezension | reseña, valoración, revisión | avis, évaluation, critique
rating, score, grade, ~ranking, ~stars | Bewertung, ~Note, Einstufung | calificación, puntuación, valoración | ~note, évaluation, notation
score, points, ~grade | Punktzahl, Punkte | puntuación, puntaje | score, points
ranking, rank, ~position | Rangliste, Rang | clasificación, ranking | classement, rang
satisfaction, happiness, ~csat, ~nps | Zufriedenheit, Kundenzufriedenheit | satisfacción | satisfaction
complaint, grievance, ~claim, ~issue | Beschwerde, Beschwerden, Reklamation | queja, reclamo, reclamación | réclamation, plainte
support, help, assistance, help desk, helpdesk, customer service, ~service | Unterstützung, Hilfe, Kundendienst | soporte, ayuda, asistencia, atención al cliente | assistance, aide, support, service client
ticket, issue, support case, support request, ~incident | Ticket, Vorgang, Anfrage | incidencia, tique, caso | ticket, demande
incident, ~outage, ~accident | Vorfall, Störung, Zwischenfall | incidente, incidencia | incident
issue, problem, trouble | Problem, Probleme | problema | problème
request, inquiry, enquiry, ~demand, ~application | Anfrage, Anfragen, Antrag | solicitud, petición, consulta | demande, requête
application, ~request, ~form | Antrag, Bewerbung | solicitud | demande, candidature
approval, sign off, ~authorization, ~release | Genehmigung, Freigabe | aprobación, visto bueno | approbation, validation
call, phone call, ~conversation | Anruf, Anrufe, Gespräch | llamada | appel
call center, contact center | Callcenter | centro de llamadas | centre d'appels
message, ~notification, ~mail | Nachricht, Nachrichten, Meldung | mensaje | message
notification, alert, ~message, ~reminder | Benachrichtigung, Meldung | notificación, aviso, alerta | notification, alerte
alert, alarm, warning | Alarm, Warnung | alerta, alarma, aviso | alerte, alarme, avertissement
document, file, ~paper, ~record | Dokument, Dokumente, Unterlage, Beleg | documento | document
file, ~document | Datei, Dateien, Akte | archivo, fichero, expediente | fichier, dossier
attachment, ~enclosure | Anhang, Anlage | adjunto, anexo | pièce jointe
report, ~statement, ~summary | Bericht, Berichte, Meldung | informe, reporte | rapport
dashboard, ~cockpit, ~scorecard | Übersicht, Cockpit | tablero, panel, cuadro de mando | tableau de bord
chart, graph, diagram, plot, ~visualization | Diagramm, Grafik, Schaubild | gráfico, gráfica, diagrama | graphique, diagramme
kpi, key figure, metric, indicator, ~measure | Kennzahl, Kennzahlen, Messgröße | indicador, métrica | indicateur, métrique
metric, measure, ~kpi | Kennzahl, Metrik | métrica, medida | métrique, mesure
table, ~relation | Tabelle, Tabellen | tabla | table, tableau
column, field, attribute | Spalte, Spalten, Feld | columna, campo | colonne, champ
row, record, ~line, ~entry | Zeile, Zeilen, Datensatz | fila, registro | ligne, enregistrement
record, entry, ~row | Datensatz, Eintrag | registro | enregistrement
key, ~identifier | Schlüssel | clave, llave | clé
identifier, id, key, ~code, ~number | Kennung, Bezeichner, Kennzeichen | identificador, ~clave | identifiant
code, ~identifier | Code, Kürzel, Schlüssel | código | code
status, state, ~condition, ~stage | Status, Zustand, ~Stand | estado, estatus, situación | statut, état
flag, indicator, ~marker | Kennzeichen, Merker | indicador, marca | indicateur, drapeau
reason, cause, ~motive | Grund, Gründe, Ursache | motivo, razón, causa | motif, raison, cause
result, outcome, ~output | Ergebnis, Ergebnisse, Resultat | resultado | résultat
history, ~log, ~past, ~archive | Historie, Verlauf, Geschichte | historial, historia, histórico | historique, histoire
log, ~journal, ~history, ~audit trail | Protokoll | registro, bitácora | journal
change, modification, update, ~edit | Änderung, Änderungen | cambio, modificación | modification, changement
update, modified, changed, ~refresh | Aktualisierung | actualización | mise à jour, actualisation
created, ~added, ~inserted | erstellt, angelegt, Erstellung | creado, creación, alta | créé, création
deleted, removed, ~erased | gelöscht, Löschung | eliminado, borrado | supprimé, suppression
active, enabled, ~live, ~current | aktiv | activo, habilitado | actif, activé
inactive, disabled, ~dormant, ~lapsed | inaktiv | inactivo, deshabilitado | inactif, désactivé
valid, ~effective, ~current | gültig, Gültigkeit | válido, vigente, vigencia | valide, valable
expired, ~lapsed, ~ended | abgelaufen | caducado, vencido, expirado | expiré, périmé
expiry, expiration, ~due date, ~end date | Ablauf, Ablaufdatum, Verfall | vencimiento, caducidad | expiration, échéance, péremption
deadline, due date, ~maturity | Frist, Fälligkeit, Stichtag | plazo, fecha límite, vencimiento | échéance, date limite
date, day | Datum, Tag, Tage | fecha, día | date, jour
time, ~hour, ~clock | Zeit, Uhrzeit | hora, tiempo | heure, temps
timestamp, date time, datetime, ~point in time | Zeitstempel, Zeitpunkt | marca de tiempo | horodatage
day, daily, date | Tag, täglich | día, diario | jour, quotidien, journalier
week, weekly | Woche, Wochen, wöchentlich | semana, semanal | semaine, hebdomadaire
month, monthly | Monat, Monate, monatlich | mes, mensual | mois, mensuel
quarter, quarterly | Quartal, Vierteljahr | trimestre, trimestral | trimestre, trimestriel
year, annual, yearly | Jahr, Jahre, jährlich | año, anual | année, annuel
hour, hourly | Stunde, Stunden, stündlich | hora | heure, horaire
period, interval, ~timeframe, ~duration, ~term | Zeitraum, Periode | período, periodo, intervalo | période, intervalle
duration, ~length, ~elapsed time | Dauer, Laufzeit | duración | durée
start, begin, beginning, ~opening | Beginn, Anfang, Start | inicio, comienzo | début, commencement, départ
end, finish, ~close, ~stop | Ende, Abschluss | fin, final, término | fin, clôture
frequency, ~recurrence, ~how often | Häufigkeit, Frequenz | frecuencia | fréquence
schedule, timetable, calendar, ~plan | Zeitplan, Fahrplan, Terminplan | horario, calendario, programación | horaire, calendrier, planning
calendar, ~schedule | Kalender | calendario | calendrier
season, ~seasonal | Saison, Jahreszeit | temporada, estación | saison
patient, ~sick person | Patient, Patienten, Patientin | paciente | patient
doctor, physician, ~practitioner, ~provider | Arzt, Ärzte, Ärztin | médico, doctor | médecin, docteur
nurse, ~caregiver | Pfleger, Krankenschwester, Pflegekraft | enfermero, enfermera | infirmier, infirmière
hospital, clinic, ~medical center | Krankenhaus, Klinik, Spital | hospital, clínica | hôpital, clinique
diagnosis, ~condition, ~disease | Diagnose, Diagnosen, Befund | diagnóstico | diagnostic
disease, illness, ~sickness, ~disorder | Krankheit, Erkrankung | enfermedad | maladie
treatment, therapy, ~procedure, ~care | Behandlung, Therapie | tratamiento, terapia | traitement, thérapie
drug, medication, medicine, ~pharmaceutical | Medikament, Medikamente, Arznei, Arzneimittel | medicamento, fármaco, medicina | médicament
prescription, ~recipe | Rezept, Verordnung | receta, prescripción | ordonnance, prescription
vaccination, immunization, vaccine | Impfung, Impfungen, Impfstoff | vacunación, vacuna | vaccination, vaccin
surgery, operation | Operation, Eingriff | cirugía, operación | chirurgie, opération
admission, hospitalization, ~intake | Aufnahme, Einweisung | admisión, ingreso, hospitalización | admission, hospitalisation
discharge, ~release | Entlassung | alta | sortie
death, mortality, deaths, ~fatality, ~deceased | Tod, Todesfälle, Sterblichkeit | muerte, mortalidad, defunción, fallecimiento | décès, mortalité, mort
birth, ~newborn | Geburt, Geburten | nacimiento | naissance
accident, crash, ~collision | Unfall, Unfälle | accidente | accident
safety, ~security | Sicherheit | seguridad | sécurité
crime, offence, offense | Straftat, Kriminalität, Verbrechen | delito, crimen | crime, délit, infraction
police | Polizei | policía | police
law, legislation, ~regulation | Gesetz, ~Recht | ley, legislación | loi, législation
lawsuit, litigation, court case, legal case | Klage, Rechtsstreit, Gerichtsverfahren | demanda, litigio, juicio | procès, litige
fine, penalty, ~sanction | Strafe, Bußgeld | multa, sanción, penalización | amende, pénalité
government, ~administration, ~authority | Regierung, Verwaltung, Behörde | gobierno, administración | gouvernement, administration
citizen, resident, inhabitant | Bürger, Einwohner | ciudadano, habitante, residente | citoyen, habitant, résident
population, inhabitants, ~people | Bevölkerung, Einwohnerzahl | población, habitantes | population
election, vote, ~ballot | Wahl, Wahlen, Abstimmung | elección, elecciones, votación | élection, vote, scrutin
project, ~initiative, ~undertaking | Projekt, Projekte, Vorhaben | proyecto | projet
task, to do, ~assignment, ~job, ~activity | Aufgabe, Aufgaben | tarea | tâche
milestone, ~checkpoint | Meilenstein | hito | jalon, étape
priority, urgency, ~importance | Priorität, Dringlichkeit | prioridad, urgencia | priorité, urgence
effort, workload, ~work | Aufwand, Arbeitsaufwand | esfuerzo, carga de trabajo | effort, charge de travail
work, labor, labour | Arbeit | trabajo, labor | travail
service, ~maintenance | Dienst, Dienstleistung, Leistung | servicio | service, prestation
game, match, ~play | Spiel, Spiele | juego, partido, partida | jeu, match, partie
player, gamer, ~participant | Spieler | jugador | joueur
movie, film, ~video | Film, Filme | película | film
music, song, track, ~audio | Musik, Lied, Titel | música, canción | musique, chanson, morceau
artist, musician, ~performer | Künstler, Musiker | artista, músico | artiste, musicien
book, ~publication, ~title | Buch, Bücher | libro | livre
author, writer | Autor, Verfasser | autor, escritor | auteur, écrivain
publisher, ~press | Verlag, Herausgeber | editorial, editor | éditeur
library, ~repository | Bibliothek | biblioteca | bibliothèque
picture, image, photo, photograph, ~illustration | Bild, Bilder, Foto | imagen, foto, fotografía | image, photo
video, clip, ~recording | Video, Aufnahme | vídeo, video | vidéo
food, ~meal, ~grocery | Lebensmittel, Essen, Nahrung | alimento, comida | aliment, nourriture
meal, dish, ~menu | Mahlzeit, Gericht, Speise | comida, plato | repas, plat
drink, beverage | Getränk, Getränke | bebida | boisson
restaurant, ~diner, ~eatery | Restaurant, Gaststätte | restaurante | restaurant
ingredient, ~component | Zutat, Zutaten | ingrediente | ingrédient
clothing, clothes, apparel, garment, ~fashion | Kleidung, Bekleidung | ropa, prenda | vêtement, habillement
furniture, ~furnishings | Möbel | mueble, muebles | meuble, mobilier
animal, ~pet, ~livestock | Tier, Tiere | animal | animal
donation, contribution, ~gift | Spende, Spenden | donación, donativo | ~don
donor, contributor, ~sponsor | Spender | donante | donateur
grant, subsidy, funding, ~aid | Zuschuss, Förderung, Subvention | subvención, beca, ayuda | subvention, bourse
network, ~connection | Netzwerk, Netz | red | réseau
connection, ~link | Verbindung, Anschluss | conexión | connexion
server, host, ~machine | Server, Rechner | servidor | serveur
software, program, ~application, ~app | Software, Programm | software, programa | logiciel, programme
app, application, ~software | Anwendung, App | aplicación | application
test, trial, ~check, ~experiment | Test, Versuch, Prüfung | prueba, ensayo | test, essai
experiment, ab test, split test, ~trial | Experiment, Versuch | experimento | expérience
version, release, ~revision | Version, Fassung | versión | version
setting, configuration, preference, option, ~parameter | Einstellung, Einstellungen, Konfiguration | configuración, ajuste, preferencia | paramètre, configuration, réglage
mapping, lookup, crosswalk, cross reference, ~translation | Zuordnung, Nachschlagetabelle | mapeo, correspondencia, equivalencia | correspondance, mappage
reference, master data, lookup | Referenz, Stammdaten | referencia, datos maestros | référence, données de référence
master data, reference data | Stammdaten | datos maestros | données de base
fact, ~measure | Fakt, Fakten | hecho | fait
dimension | Dimension | dimensión | dimension
staging, landing, raw, ~bronze | Rohdaten | datos crudos | données brutes
curated, refined, cleansed, ~silver, ~gold | bereinigt | depurado | nettoyé
summary, aggregate, overview, rollup, ~digest | Zusammenfassung, Übersicht | resumen, agregado | résumé, synthèse, récapitulatif
detail, details, ~breakdown | Detail, Details, Einzelheiten | detalle | détail
snapshot, ~point in time, ~backup | Momentaufnahme, ~Stand | instantánea, foto | instantané
backup, copy, ~archive | Sicherung, Kopie | copia de seguridad, respaldo | sauvegarde
duplicate, copy, ~redundant | Duplikat, Dublette | duplicado | doublon
missing, null, empty, absent, ~blank | fehlend, leer | faltante, vacío | manquant, vide
list, ~listing, ~directory | Liste, Listen | lista, listado | liste
group, ~cluster, ~set | Gruppe, Gruppen | grupo | groupe
hierarchy, tree, ~structure | Hierarchie, Baum | jerarquía | hiérarchie
level, tier, ~stage, ~layer | Stufe, Ebene, Niveau | nivel | niveau
rule, ~policy, ~regulation | Regel, Regeln | regla, norma | règle
requirement, need, ~demand | Anforderung, Bedarf | requisito, necesidad | exigence, besoin
limit, cap, threshold, ~ceiling | Grenze, Limit, Grenzwert | límite, umbral | limite, seuil, plafond
model, ~algorithm | Modell | modelo | modèle
search, ~query, ~lookup | Suche, Suchanfrage | búsqueda | recherche
recommendation, suggestion, ~advice | Empfehlung, Vorschlag | recomendación, sugerencia | recommandation, suggestion
market, ~marketplace | Markt, Märkte | mercado | marché
industry, sector, ~branch, ~vertical | Branche, Industrie, Wirtschaftszweig | industria, sector | industrie, secteur, branche
strategy, ~plan | Strategie | estrategia | stratégie
reconciliation, matching, ~settlement | Abgleich, Abstimmung | conciliación | rapprochement, réconciliation
allocation, distribution, apportionment, ~assignment | Verteilung, Zuteilung, Umlage | asignación, reparto, distribución | répartition, allocation, affectation
cost center, ~profit center | Kostenstelle, Kostenstellen | centro de costos, centro de coste | centre de coûts
balance sheet, ~statement of financial position | Bilanz | balance general, balance | bilan
income statement, profit and loss, pnl | Gewinn- und Verlustrechnung, GuV | cuenta de resultados, pérdidas y ganancias | compte de résultat
cash flow, cashflow, ~liquidity | Zahlungsfluss, Kapitalfluss | flujo de caja, flujo de efectivo | flux de trésorerie
month end, closing, period close | Monatsabschluss, Abschluss | cierre, cierre de mes | clôture, clôture mensuelle
credit card, payment card, ~debit card | Kreditkarte | tarjeta de crédito | carte de crédit, carte bancaire
lifetime value, ltv, clv, customer value | Kundenwert | valor del cliente, valor de vida | valeur client
weekday, day of week | Wochentag | día de la semana | jour de la semaine
weekend | Wochenende | fin de semana | week-end
salesperson, sales representative, sales rep, account executive, ~seller | Vertriebsmitarbeiter, Verkäufer, Außendienst | vendedor, representante de ventas, comercial | commercial, vendeur, représentant
territory, sales region, ~area | Vertriebsgebiet, Gebiet | territorio | territoire, secteur
referral, ~recommendation, ~invite | Empfehlung, Überweisung | recomendación, referido | parrainage, recommandation
winner, ~champion | Gewinner, Sieger | ganador | gagnant, vainqueur
deduction, ~withholding | Abzug, Abzüge | deducción | déduction, retenue
pension, retirement, ~superannuation | Rente, Pension, Altersvorsorge | pensión, jubilación | retraite, pension
benefit, perk, ~allowance | Leistung, Zusatzleistung | beneficio, prestación | avantage, prestation
overtime, extra hours | Überstunden | horas extra | heures supplémentaires
harvest, crop, ~yield | Ernte, Ernten | cosecha, cultivo | récolte, culture
farm, ~agriculture | Bauernhof, Landwirtschaft | granja, agricultura | ferme, agriculture
recipe, ~formula | Rezept, Rezeptur | receta | recette
bicycle, bike, cycle | Fahrrad, Rad | bicicleta | vélo, bicyclette
train, ~rail, ~railway | Zug, Bahn | tren, ferrocarril | train, chemin de fer
station, stop | Bahnhof, Haltestelle, Station | estación, parada | gare, station, arrêt
taxi, cab, ~ride | Taxi | taxi | taxi
plate, license plate, registration number, ~number plate | Kennzeichen, Nummernschild | matrícula, placa | plaque, immatriculation
bus, buses | Bus, Busse | autobús | bus, autobus
speed, velocity | Geschwindigkeit | velocidad | vitesse
waste, garbage, rubbish, trash, refuse, ~recycling | Abfall, Müll | basura, residuos, desechos | déchets, ordures
deployment, rollout, go live, ~release, ~launch | Ausrollung, Bereitstellung, Inbetriebnahme | despliegue, puesta en marcha | déploiement, mise en production
launch, introduction, rollout, ~release | Einführung, Markteinführung | lanzamiento | lancement
faq, help page, knowledge base, help article, ~documentation | Hilfeseite, Wissensdatenbank | preguntas frecuentes, base de conocimiento | foire aux questions, base de connaissances
documentation, docs, manual, guide, handbook, ~instructions | Dokumentation, Handbuch, Anleitung | documentación, manual, guía | documentation, manuel, guide
creditworthiness, credit rating, credit score, solvency, ~credit check | Bonität, Kreditwürdigkeit, Zahlungsfähigkeit | solvencia, calificación crediticia | solvabilité, cote de crédit
injury, ~wound, ~hurt, ~accident | Verletzung, Verletzungen | lesión, herida | blessure
computer, pc, ~laptop, ~workstation | Computer, Rechner | ordenador, computadora | ordinateur
laptop, notebook, ~computer | Laptop, Notebook | portátil | ordinateur portable
gift, present, ~giveaway | Geschenk, Geschenke | regalo | cadeau
influencer, creator, ~celebrity, ~blogger | Influencer | influenciador | influenceur
social media, social network, ~social | soziale Medien, soziales Netzwerk | redes sociales | réseaux sociaux
post, ~article, ~message | Beitrag, Beiträge | publicación | publication
article, story, ~post, ~news item | Artikel, Beitrag | artículo | article
news, ~press, ~headline | Nachrichten, Neuigkeiten | noticias | actualités, nouvelles
performance, ~speed, ~efficiency, ~result | Leistung | rendimiento, desempeño | performance, rendement
latency, response time, ~delay, ~speed | Antwortzeit, Latenz | latencia, tiempo de respuesta | latence, temps de réponse
uptime, availability | Verfügbarkeit | disponibilidad | disponibilité
availability, ~in stock, ~capacity | Verfügbarkeit | disponibilidad | disponibilité
commercial, ad, advert, ~spot | Werbespot | anuncio | spot publicitaire
b2b, corporate, business customer, commercial customer | Geschäftskunde, Firmenkunde, gewerblich | corporativo | client professionnel
b2c, private customer, retail customer | Privatkunde, Endkunde | cliente particular | client particulier
theft, stealing, stolen, robbery, shoplifting, ~burglary | Diebstahl, Diebstähle | robo, hurto | vol
shrinkage, inventory loss, ~theft | Schwund, Inventurdifferenz | merma | démarque
elasticity, sensitivity | Elastizität | elasticidad | élasticité
warranty, guarantee, ~guaranty | Garantie, Gewährleistung | garantía | garantie
swap, exchange, ~replacement | Umtausch, Tausch | cambio, intercambio | échange
replacement, substitute, ~spare | Ersatz | reemplazo, sustituto | remplacement
broken, damaged, defective, faulty | kaputt, beschädigt, defekt | roto, dañado, defectuoso | cassé, endommagé, défectueux
crew, ~staff, ~team | Besatzung, Mannschaft | tripulación | équipage
friend, ~buddy, ~acquaintance | Freund, Freunde | amigo | ami
relative, kin, ~family member | Verwandter, Angehöriger | pariente, familiar | parent, proche
spouse, husband, wife, ~partner | Ehepartner, Ehegatte | cónyuge | conjoint
man, male, men | Mann, Männer, männlich | hombre, masculino | homme, masculin
woman, female, women | Frau, Frauen, weiblich | mujer, femenino | femme, féminin
roster, rota, shift plan, duty schedule | Dienstplan, Schichtplan | cuadrante, turnos | planning, tableau de service
vacancy, job opening, open position, job posting, job ad | Stellenangebot, offene Stelle, Vakanz | vacante, oferta de empleo | poste vacant, offre d'emploi
interview, ~conversation | Vorstellungsgespräch, Interview | entrevista | entretien
onboarding, induction, ~orientation | Einarbeitung, Einführung | incorporación, inducción | intégration
offboarding, leaver, ~exit | Austritt | salida | départ
resignation, quitting, quit, ~departure, ~leaver | Kündigung | dimisión | démission
layoff, dismissal, redundancy, firing | Entlassung | despido | licenciement
promotion, advancement, ~career step | Beförderung | ascenso | avancement
education, schooling, ~training, ~learning | Bildung, Ausbildung | educación, enseñanza | éducation, enseignement
degree, diploma, qualification | Abschluss | título, grado | diplôme
wage, salary, pay, earnings | Lohn, Gehalt | sueldo | salaire
pay slip, payslip, pay stub, wage slip | Gehaltsabrechnung, Lohnzettel | recibo de nómina | fiche de paie, bulletin de salaire
travel expense, business trip, ~travel cost | Reisekosten, Dienstreise | gastos de viaje, viaje de negocios | frais de déplacement, voyage d'affaires
mileage, odometer, ~distance driven | Kilometerstand, Laufleistung | kilometraje | kilométrage
parking, parking lot, car park | Parkplatz, Parken | aparcamiento, estacionamiento | parking, stationnement
petrol, gasoline, gas, fuel | Benzin | gasolina | essence
electricity, power, current | Strom, Elektrizität | electricidad | électricité
gas, natural gas | Gas, Erdgas | gas | gaz
heating, heat | Heizung, Wärme | calefacción | chauffage
pollution, contamination, ~emission | Verschmutzung | contaminación | pollution
greenhouse gas, ghg, ~co2, ~emissions | Treibhausgas | gas de efecto invernadero | gaz à effet de serre
climate, ~weather | Klima | clima | climat
rain, rainfall, precipitation | Regen, Niederschlag | lluvia, precipitación | pluie, précipitations
tax return, tax declaration, ~vat return | Steuererklärung | declaración de impuestos | déclaration fiscale
dividend, ~distribution | Dividende | dividendo | dividende
creditor, lender, ~payee | Gläubiger, Kreditor | acreedor | créancier
debtor, borrower, ~payer | Schuldner, Debitor, Kreditnehmer | deudor, prestatario | débiteur, emprunteur
write off, writeoff, ~bad debt, ~impairment | Abschreibung, Wertberichtigung | castigo, pérdida por deterioro | passage en perte, dépréciation
bankruptcy, insolvency, ~default | Insolvenz, Konkurs | bancarrota, quiebra, insolvencia | faillite, insolvabilité
hedge, hedging, ~protection | Absicherung | cobertura | couverture
bank transfer, wire transfer, direct debit, ~remittance | Überweisung, Lastschrift | transferencia bancaria, domiciliación | virement bancaire, prélèvement
till, cash register, checkout, point of sale, ~counter | Kasse, Registrierkasse | caja registradora, punto de venta | caisse
footfall, foot traffic, store visits, ~visitors | Kundenfrequenz, Besucherzahl | afluencia, tráfico de tienda | fréquentation
opening hours, business hours | Öffnungszeiten | horario de apertura | heures d'ouverture
refurbishment, renovation, overhaul | Aufarbeitung, Überholung, Renovierung | reacondicionamiento, renovación | reconditionnement, rénovation
clearance, markdown, sell off, ~liquidation | Räumungsverkauf, Abverkauf, Ausverkauf | liquidación, saldo | liquidation, déstockage
leftover, excess stock, dead stock, surplus, slow mover | Restbestand, Ladenhüter, Überbestand | excedente, sobrante | surplus, invendu
safety stock, buffer stock | Sicherheitsbestand, Mindestbestand | stock de seguridad | stock de sécurité
backorder, back order, ~backlog | Rückstand, Nachlieferung | pedido pendiente | reliquat
backlog, ~queue, ~pending | Rückstand, Auftragsbestand | retraso acumulado, cartera de pedidos | arriéré, carnet de commandes
queue, waiting list, ~waitlist | Warteschlange, Warteliste | cola, lista de espera | file d'attente
lot, batch, charge | Charge, Los, Chargen | lote | lot
picking, ~order picking, ~collecting | Kommissionierung | picking, preparación de pedidos | préparation de commandes
box, carton, case, ~container | Karton, Kiste, Schachtel | caja, cartón | boîte, carton
container, ~vessel | Container, Behälter | contenedor | conteneur
pallet, skid | Palette, Paletten | palé, tarima | palette
ship, vessel, boat | Schiff, Schiffe | barco, buque | navire, bateau
harbor, harbour, port, ~dock | Hafen, Häfen | puerto | port
pickup point, parcel shop, parcel locker, ~collection point | Abholstation, Paketshop, Packstation | punto de recogida | point relais
dock, loading bay, ~gate | Laderampe, Rampe | muelle | quai
downtime, standstill, ~outage, ~stoppage | Stillstand, Stillstandszeit, Ausfallzeit | tiempo de inactividad, parada | temps d'arrêt, immobilisation
shop floor, production line, assembly line | Fertigungslinie, Produktionslinie | línea de producción | ligne de production
recipe, formula, formulation | Rezeptur | fórmula | formule
recall, product recall, ~withdrawal | Rückruf | retirada, retiro | rappel
standard, norm, ~benchmark | Norm, Standard | norma, estándar | norme
certificate, certification, ~attestation | Zertifikat, Bescheinigung | certificado | certificat, attestation
compliance, conformity, ~regulatory | Einhaltung, Konformität | cumplimiento, conformidad | conformité
misconduct, wrongdoing, ~violation | Fehlverhalten | mala conducta | faute
violation, breach, infringement | Verstoß, Verletzung | infracción, incumplimiento | violation, infraction
leak, data breach, data leak, ~breach | Datenleck, Datenpanne | fuga de datos | fuite de données
attack, threat, intrusion, ~hack | Angriff, Bedrohung | ataque, amenaza | attaque, menace
robot, bot, crawler, ~spider | Roboter | robot | robot
machine learning, ml, artificial intelligence, ai, ~data science | maschinelles Lernen, künstliche Intelligenz, KI | aprendizaje automático, inteligencia artificial | apprentissage automatique, intelligence artificielle
prediction, forecast, inference, ~score | Vorhersage | predicción | prédiction
anomaly, outlier, ~irregularity | Anomalie, Ausreißer | anomalía, valor atípico | anomalie, valeur aberrante
trend, tendency, ~development | Trend, Entwicklung | tendencia | tendance
comparison, benchmark, versus | Vergleich | comparación | comparaison
top seller, best seller, bestseller | Verkaufsschlager, Bestseller | más vendido | meilleure vente
marketplace, platform, ~exchange | Marktplatz, Plattform | mercado, plataforma | place de marché, plateforme
third party, external, ~outside | Drittanbieter, extern | tercero, externo | tiers, externe
internal, in house | intern | interno | interne
domestic, national, ~local | inländisch | nacional | national, domestique
international, global, worldwide, foreign, overseas, ~abroad | international, weltweit, Ausland | internacional, extranjero | international, étranger
online, digital, web, internet, ~ecommerce | online, digital | en línea, digital | en ligne, numérique
ecommerce, e commerce, online shop, web shop, online store, webshop | Onlinehandel, Onlineshop | comercio electrónico, tienda en línea | commerce électronique, boutique en ligne
offline, in store, brick and mortar, ~stationary | stationär | en tienda | en magasin
personal data, pii, personal information, ~sensitive | personenbezogene Daten | datos personales | données personnelles
erasure, deletion, ~removal, ~purge | Löschung | supresión, borrado | effacement, suppression
data quality, dq, ~data check | Datenqualität | calidad de datos | qualité des données
lineage, provenance, data flow | Datenherkunft, Datenfluss | linaje | lignage
etl, elt, data pipeline, ~load, ~ingestion | Datenpipeline, Beladung | carga de datos | chargement
warehouse load, data load, pipeline run, job run | Datenlauf, Beladung | ejecución de carga | exécution
parameter, ~argument, ~setting | Parameter | parámetro | paramètre
default, ~standard | Standardwert, Vorgabe | por defecto | par défaut
primary, main, principal | Haupt | principal | principal
secondary, ~alternate | sekundär | secundario | secondaire
previous, prior, last, former, ~past | vorherig, letzter | anterior, previo | précédent
next, following, upcoming, ~future | nächster, folgend | siguiente, próximo | prochain, suivant
new, recent, latest, ~fresh | neu, neueste | nuevo, reciente | nouveau, récent
old, legacy, ~former, ~obsolete, ~deprecated | alt, veraltet | antiguo, obsoleto | ancien, obsolète
open, pending, outstanding, unresolved | offen, ausstehend | abierto, pendiente | ouvert, en attente
closed, resolved, completed, finished, done | geschlossen, abgeschlossen, erledigt | cerrado, resuelto, terminado | fermé, résolu, terminé
unpaid, outstanding, owed, ~overdue | unbezahlt, offen | impagado, pendiente de pago | impayé
fast, quick, rapid, ~express | schnell | rápido | rapide
happy, satisfied, content | zufrieden | satisfecho, contento | satisfait, content
unhappy, dissatisfied, angry, ~complaining | unzufrieden | insatisfecho, descontento | insatisfait, mécontent
cheap, inexpensive, low priced | billig, günstig | barato | bon marché
expensive, costly, ~pricey | teuer | caro | cher
free, gratis, ~complimentary | kostenlos, gratis | gratis, gratuito | gratuit
blocked, banned, suspended, ~blacklist | gesperrt, blockiert | bloqueado, suspendido | bloqué, suspendu
verified, confirmed, approved, ~checked | geprüft, bestätigt | verificado, confirmado | vérifié, confirmé
rejected, declined, refused, denied | abgelehnt | rechazado, denegado | rejeté, refusé
duty, customs duty, tariff, import duty | Zoll, Zollgebühr | arancel | droit de douane
tour, round, ~route | Tour, Rundfahrt | recorrido, gira | tournée
image recognition, computer vision | Bilderkennung | reconocimiento de imágenes | reconnaissance d'images
translation, localization, ~language version | Übersetzung | traducción | traduction
cabin, changing room, fitting room, dressing room | Umkleide, Umkleidekabine | probador | cabine d'essayage
fashion, apparel, clothing | Mode | moda | mode
shoe, footwear | Schuh, Schuhe | zapato, calzado | chaussure
wine, ~alcohol | Wein | vino | vin
medicine, health care, healthcare, ~health | Medizin, Gesundheitswesen | sanidad, salud | santé, médecine
health, wellness, ~medical | Gesundheit | salud | santé
symptom, ~sign | Symptom, Anzeichen | síntoma | symptôme
laboratory, lab test, ~analysis | Labor, Laboruntersuchung | laboratorio | laboratoire
blood | Blut | sangre | sang
clinical trial, clinical study | klinische Studie | ensayo clínico | essai clinique
research, study, ~investigation | Forschung, Studie | investigación, estudio | recherche, étude
investigation, inquiry, ~probe | Untersuchung, Ermittlung | investigación | enquête
judge, court, tribunal | Richter, Gericht | juez, tribunal | juge, tribunal
lawyer, attorney, counsel | Anwalt, Rechtsanwalt | abogado | avocat
permit, license, ~authorization | Genehmigung, Erlaubnis | permiso | permis
passport, identity card, id card, ~identity document | Reisepass, Personalausweis, Ausweis | pasaporte, documento de identidad | passeport, carte d'identité
migration, immigration, ~migrant | Einwanderung, Zuwanderung | migración, inmigración | immigration
poverty, poor | Armut | pobreza | pauvreté
wealth, net worth, assets | Vermögen | riqueza, patrimonio | richesse, patrimoine
housing, dwelling, accommodation, ~home | Wohnen, Wohnraum | vivienda, alojamiento | logement
unemployment, jobless, unemployed | Arbeitslosigkeit, arbeitslos | desempleo, paro | chômage
employment, ~jobs, ~labour market | Beschäftigung | empleo | emploi
gdp, gross domestic product, ~economic output | Bruttoinlandsprodukt, BIP | PIB, producto interno bruto | PIB, produit intérieur brut
inflation, cpi, consumer prices, ~price index | Inflation, Teuerung | inflación, IPC | inflation
economy, ~business activity | Wirtschaft, Konjunktur | economía | économie
agriculture, farming | Landwirtschaft | agricultura | agriculture
fishing, fishery, fisheries | Fischerei | pesca | pêche
forest, woodland, ~timber | Wald, Wälder | bosque | forêt
soil, ground, ~land | Boden | suelo | sol
river, stream, ~waterway | Fluss, Flüsse | río | rivière, fleuve
sea, ocean | Meer, See | mar, océano | mer, océan
species, ~organism | Spezies | especie | espèce
earthquake, seismic, ~quake | Erdbeben | terremoto, sismo | séisme, tremblement de terre
fire, blaze, ~wildfire | Brand, Feuer | incendio, fuego | incendie, feu
flood, flooding, ~inundation | Hochwasser, Überschwemmung | inundación | inondation
emergency, ~urgent | Notfall, Notfälle | emergencia, urgencia | urgence
transit, public transport, public transportation, ~mass transit | Nahverkehr, öffentlicher Verkehr | transporte público | transports en commun
bicycle sharing, bike share, ~rental bike | Leihrad | bicicleta compartida | vélo partagé
traffic accident, car crash, road accident, collision | Verkehrsunfall | accidente de tráfico | accident de la route
soccer, football | Fußball | fútbol | football
competition, contest, tournament | Wettbewerb, Turnier | competición, torneo, concurso | compétition, tournoi, concours
goal, ~score | Tor, Tore | gol | but marqué
prize, award, ~trophy | Preis, Auszeichnung | premio | prix, récompense
theater, theatre, ~stage | Theater | teatro | théâtre
museum, ~gallery | Museum | museo | musée
concert, gig, ~show | Konzert, Konzerte | concierto | concert
tv, television, ~broadcast | Fernsehen | televisión | télévision
episode, ~series | Folge, Episode | episodio | épisode
playlist, ~track list | Wiedergabeliste | lista de reproducción | liste de lecture
download, ~install | Download, Herunterladen | descarga | téléchargement
upload | Hochladen | carga, subida | téléversement
browser, user agent | Browser | navegador | navigateur
domain, host name, hostname | Domäne | dominio | domaine
link, url, hyperlink, web address | Verknüpfung, Webadresse | enlace, vínculo | lien
token, api key, access key | Zugriffsschlüssel | clave de acceso | jeton, clé d'accès
cloud, ~hosting | Cloud | nube | nuage
bug, defect, software error | Softwarefehler | error de software | bogue

buy, bought, buying, purchase
sell, sold, selling, sale, sales
pay, paid, payment
spend, spent, spending, expense
send, sent, ~dispatch
ship, shipped, shipment, shipping
deliver, delivered, delivery
return, returned, sent back
order, ordered
earn, earned, earnings, ~income
owe, owed, debt, ~receivable
lend, lent, loan
borrow, borrowed, loan
lose, lost, loss
steal, stole, stolen, theft
grow, grew, growth
hire, hired, hiring, recruitment
leave, left, ~departure, ~resignation
quit, left, resignation
teach, taught, teaching
learn, learned, learning, training
write, wrote, written
speak, spoke, spoken, ~conversation
meet, met, meeting
build, built, building
produce, produced, production
drive, drove, driven, driving
fly, flew, flown, flight
choose, chose, chosen, choice, ~selection
break, broke, broken, ~failure
begin, began, begun, beginning
fall, fell, fallen, decline
rise, rose, risen, increase
subscribe, subscribed, subscription
register, registered, registration
complain, complained, complaint
maintain, maintained, maintenance
receive, received, receipt
reserve, reserved, reservation
book, booked, booking
analyze, analyse, analysis, analytics
approve, approved, approval
renew, renewed, renewal
retain, retained, retention
acquire, acquired, acquisition
convert, converted, conversion
consume, consumed, consumption
reduce, reduced, reduction
refuse, refusal, rejection
compare, comparison
decide, decision
predict, predicted, prediction
expire, expired, expiry, expiration
describe, description
weigh, weight
long, length
high, height
wide, width
deep, depth
rich, wealth
sick, sickness, illness, ill, sick leave
die, died, death, dead
born, birth
travel, trip, journey
`
