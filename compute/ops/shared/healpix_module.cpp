// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/healpix_module.h"

#include <healpix_data_io.h>

#include <arr.h>
#include <error_handling.h>

#include "shared/quietly.h"

namespace armilla {

void armillaReadHealpix(const std::string& path, int nside, HealpixNumbers& numbers) {
    try {
        quietly([&] {
            if (nside > 0) {
                numbers.first = read_fullweights_from_fits(path, nside);
                return;
            }
            arr<double> temperature, polarization;
            read_pixwin(path, temperature, polarization);
            numbers.first.assign(temperature.begin(), temperature.end());
            numbers.second.assign(polarization.begin(), polarization.end());
        });
    } catch (const PlanckError& failure) {
        numbers.problem = failure.what();
    }
}

}  // namespace armilla
